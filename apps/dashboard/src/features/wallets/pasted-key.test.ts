import { describe, expect, it } from 'vitest'

import { isSecret, pastedKeyProblem } from './pasted-key.ts'

const XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt'
const SECRET_PASTED = 'This is a private key. Never paste it anywhere; send the public one. Clear your clipboard.'
const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

describe('isSecret', () => {
  it.each([
    [
      'an extended private key',
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
    ],
    [
      'one with another prefix',
      'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE',
    ],
    ['a raw private key', `0x${'1f'.repeat(32)}`],
    ['a raw seed', '1f'.repeat(64)],
    ['a private key in wallet import format', 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ'],
    ['recovery words', WORDS],
    ['recovery words on lines of their own', WORDS.replaceAll(' ', '\n')],
    [
      'numbered recovery words',
      WORDS.split(' ')
        .map((word, at) => `${at + 1}. ${word}`)
        .join(' '),
    ],
    ['words separated by commas', WORDS.replaceAll(' ', ', ').toUpperCase()],
  ])('knows %s', (_name, text) => {
    expect(isSecret(text)).toBe(true)
    expect(pastedKeyProblem(text)).toBe(SECRET_PASTED)
  })

  it('lets a public key through', () => {
    expect(isSecret(XPUB)).toBe(false)
    expect(pastedKeyProblem(` ${XPUB} `)).toBeUndefined()
  })
})

describe('pastedKeyProblem', () => {
  it.each([
    ['', 'Extended public key is required'],
    [
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
      'An extended public key for EVM networks starts with xpub',
    ],
    ['0x9858EfFD232B4033E47d90003D41EC34EcaEda94', 'An extended public key for EVM networks starts with xpub'],
    [`${XPUB} and more`, 'The key is damaged: copy all of it again'],
  ])('refuses %j', (text, problem) => {
    expect(pastedKeyProblem(text)).toBe(problem)
  })
})
