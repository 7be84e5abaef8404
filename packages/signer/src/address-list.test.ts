import { depositProofMessage, readSolanaAddress, readSolanaSignature } from '@kassa/keys/solana/address.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, it } from 'vitest'

import { openSeed } from './seed.ts'

const seed = openSeed(`${'abandon '.repeat(11)}about`)

describe('signer.addressList', () => {
  it('makes the addresses that wallets of Solana show for this phrase', () => {
    const { addresses } = seed.addressList({ first: 0, count: 2 })
    expect(addresses[0]?.address).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
    expect(addresses.map(({ index }) => index)).toEqual([0, 1])
  })

  it('proves each key by what it signs about its place, and goes on where one says', () => {
    const { addresses } = seed.addressList({ first: 7, count: 3 })
    for (const { address, index, signature } of addresses) {
      const [key, proof] = [readSolanaAddress(address), readSolanaSignature(signature)]
      if (!key || !proof) throw new Error('The list cannot be read')
      expect(ed25519.verify(proof, depositProofMessage(index), key)).toBe(true)
      expect(ed25519.verify(proof, depositProofMessage(index + 1), key)).toBe(false)
    }
  })

  it.each([
    [0, 1_001],
    [-1, 1],
    [0, 0],
    [0.5, 1],
  ])('refuses a list from %d of %d addresses', (first, count) => {
    expect(() => seed.addressList({ first, count })).toThrow('Ask for 1 to 1000')
  })
})
