import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readAddresses, readTransactionIds } from './identifiers.ts'

const DIGITS = '9f3c1d0b8c5e7a42d9e1f0a3b6c8d7e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1a01b'
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

describe('chains.readTransactionIds', () => {
  it.each([
    ['the hash', `0x${DIGITS}`],
    ['capitals', `0x${DIGITS.toUpperCase()}`],
    ['blanks around it', `  0x${DIGITS}\n`],
    ['the page of an explorer', `https://basescan.org/tx/0x${DIGITS}?tab=logs#1`],
    ['a sentence', `hash: 0x${DIGITS}.`],
  ])('reads %s', (_what, text) => {
    expect(readTransactionIds(text)).toEqual([{ family: 'ETH_Family', txId: `0x${DIGITS}` }])
  })

  it('takes a bare hash for any family that prints 32 bytes', () => {
    expect(readTransactionIds(DIGITS)).toEqual([
      { family: 'TRX_Family', txId: DIGITS },
      { family: 'BTC_Family', txId: DIGITS },
      { family: 'ETH_Family', txId: `0x${DIGITS}` },
    ])
  })

  it('reads a signature of Solana, with its capitals', () => {
    expect(readTransactionIds(`https://solscan.io/tx/${SIGNATURE}`)).toEqual([
      { family: 'SOL_Family', txId: SIGNATURE },
    ])
  })

  it.each([
    ['nothing', ''],
    ['an address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a digit too few', `0x${DIGITS.slice(1)}`],
    ['a digit too many', `0x${DIGITS}0`],
    ['other letters', `0x${DIGITS.slice(1)}g`],
  ])('finds no hash in %s', (_what, text) => {
    expect(readTransactionIds(text)).toEqual([])
  })

  it('reads any text without failing', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => {
        expect(readTransactionIds(text)).toBeInstanceOf(Array)
      }),
    )
  })
})

describe('chains.readAddresses', () => {
  const ours = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'

  it.each([ours, ours.toLowerCase(), ` 0X${ours.slice(2)} `])(
    'reads %s in the spelling of its family, once',
    (text) => {
      expect(readAddresses(text)).toEqual([ours])
    },
  )

  it.each(['', '0x', ours.slice(0, -1), 'shop@example.com'])('finds no address in %s', (text) => {
    expect(readAddresses(text)).toEqual([])
  })
})
