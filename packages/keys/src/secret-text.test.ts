import { describe, expect, it } from 'vitest'
import { isSecret } from './secret-text.ts'

const WORDS = `${'abandon '.repeat(11)}about`
const XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt'

describe('keys.isSecret', () => {
  it.each([
    [
      'an extended private key (BIP-32, vector 1)',
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
    ],
    ['one of another coin', `zprv${'1'.repeat(107)}`],
    ['a raw private key', `0x${'1f'.repeat(32)}`],
    ['a raw private key without 0x', 'AB'.repeat(32)],
    ['a raw seed', '1f'.repeat(64)],
    ['a key in wallet import format', 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn'],
    ['an uncompressed one', '5KYZdUEo39z3FPrtuX2QbbwGnNP5zTd7yyr2SC1j299sBCnWjss'],
    ['recovery words', WORDS],
    ['recovery words with space around them', `\n  ${WORDS}\t`],
    ['recovery words on lines of their own', WORDS.replaceAll(' ', '\n')],
    ['numbered recovery words', [...WORDS.split(' ').entries()].map(([at, word]) => `${at + 1}. ${word}`).join(' ')],
    ['words separated by commas', WORDS.replaceAll(' ', ', ').toUpperCase()],
    ['French words', 'éclat balise rampe abeille tasse grappe nuage olive perle quitter rosée sauter'],
    [
      'French words with their accents apart',
      'éclat balise rampe abeille tasse grappe nuage olive perle quitter rosée sauter'.normalize('NFD'),
    ],
    ['Chinese words', '的 一 是 在 不 了 有 和 人 这 中 大'],
    ['Japanese words, parted as Japanese is', Array.from({ length: 12 }, () => 'あいこくしん').join('　')],
  ])('knows %s', (_, text) => {
    expect(isSecret(text)).toBe(true)
  })

  it.each([
    ['an extended public key', XPUB],
    ['an address', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    ['a Bitcoin address', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ['eleven words', WORDS.split(' ').slice(1).join(' ')],
    ['nothing', ''],
  ])('lets %s through', (_, text) => {
    expect(isSecret(text)).toBe(false)
  })
})
