import { describe, expect, it } from 'vitest'
import { isSecret } from './secret-text.ts'

const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const SPANISH = 'ábaco bóveda célula débil época fábula género hábil ícono lápiz máquina núcleo'
const FRENCH = 'éclat balise rampe abeille tasse grappe nuage olive perle quitter rosée sauter'
const XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt'

describe('keys.isSecret', () => {
  it.each([
    [
      'an extended private key',
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
    ],
    ['a raw private key', `0x${'1f'.repeat(32)}`],
    ['a raw seed', '1f'.repeat(64)],
    ['a private key of Bitcoin', 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ'],
    ['a private key of a test network', 'cMahea7zqjxrtgAbB7LSGbcQUr1uX1ojuat9jZodMN87JcbXMTcA'],
    ['recovery words', ` ${WORDS} `],
    ['recovery words on lines of their own', WORDS.replaceAll(' ', '\n')],
    ['numbered recovery words', WORDS.replaceAll(/\w+/g, (word) => `1. ${word}`)],
    ['numbered recovery words without spaces', WORDS.replaceAll(/\w+/g, (word) => `12)${word}`)],
    ['words between commas', WORDS.replaceAll(' ', ', ').toUpperCase()],
    ['a Spanish phrase, its accents composed', SPANISH.normalize('NFC')],
    ['a Spanish phrase, its accents apart', SPANISH.normalize('NFD')],
    ['a French phrase, its accents apart', FRENCH.normalize('NFKD')],
    ['a Japanese phrase between wide spaces', Array(12).fill('あいこくしん').join('\u3000')],
    ['a Korean phrase', Array(12).fill('가격').join(' ')],
    ['a Chinese phrase', '的 一 是 在 不 了 有 和 人 这 中 大'],
    ['a Chinese phrase without spaces', '的一是在不了有和人这中大'],
  ])('knows %s', (_name, text) => {
    expect(isSecret(text)).toBe(true)
  })

  it.each([
    ['an extended public key', XPUB],
    ['an address', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    ['a path', "m/44'/60'/0'"],
    ['eleven words', WORDS.replace(' about', '')],
    ['nothing', ''],
  ])('lets %s through', (_name, text) => {
    expect(isSecret(text)).toBe(false)
  })
})
