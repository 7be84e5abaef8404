import { wordlist as czech } from '@scure/bip39/wordlists/czech.js'
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js'
import { wordlist as portuguese } from '@scure/bip39/wordlists/portuguese.js'
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese.js'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js'
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese.js'
import { describe, expect, it } from 'vitest'

import { pastedKeyProblem } from './pasted-key.ts'

const XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt'
const SECRET_PASTED = 'This is a private key. Never paste it anywhere; send the public one. Clear your clipboard.'

describe('pastedKeyProblem', () => {
  it.each([
    ['Czech', czech],
    ['English', english],
    ['French', french],
    ['Italian', italian],
    ['Japanese', japanese],
    ['Korean', korean],
    ['Portuguese', portuguese],
    ['simplified Chinese', simplifiedChinese],
    ['Spanish', spanish],
    ['traditional Chinese', traditionalChinese],
  ])('refuses every word of the %s list in a phrase, however its accents are written', (_language, list) => {
    for (let first = 0; first < list.length; first += 12) {
      const phrase = list.slice(first, first + 12).concat(list.slice(0, Math.max(0, first + 12 - list.length)))
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
        const pasted = phrase.join(' ').normalize(form)
        expect([pasted, pastedKeyProblem(pasted, 'EVM')]).toEqual([pasted, SECRET_PASTED])
      }
    }
  })

  it('lets a public key through', () => {
    expect(pastedKeyProblem(` ${XPUB} `, 'TRON')).toBeUndefined()
  })

  it.each([
    ['', 'Extended public key is required'],
    [
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
      'An extended public key for EVM starts with xpub',
    ],
    ['0x9858EfFD232B4033E47d90003D41EC34EcaEda94', 'An extended public key for EVM starts with xpub'],
    [`${XPUB} and more`, 'The key is damaged: copy all of it again'],
  ])('refuses %j', (text, problem) => {
    expect(pastedKeyProblem(text, 'EVM')).toBe(problem)
  })
})
