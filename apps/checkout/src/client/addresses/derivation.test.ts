import { depositProofMessage, plainBase58 } from '@kassa/keys/solana/address.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, it } from 'vitest'

import { derive } from './derivation.ts'

/** Account m/44'/60'/0' of "test test … junk". */
const XPUB =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP'
/** The vector of BIP-84. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

/** The vector of SLIP-132 for BIP-49. */
const YPUB =
  'ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP'

function addresses(pasted: string, kind: Parameters<typeof derive>[1]): readonly string[] {
  const derived = derive(pasted, kind)
  return 'addresses' in derived ? derived.addresses : []
}

describe('addresses.derive', () => {
  it('derives the addresses every EVM wallet shows', () => {
    expect(addresses(` ${XPUB} `, 'evm')).toHaveLength(20)
    expect(addresses(XPUB, 'evm').slice(0, 2)).toEqual([
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ])
  })

  it('derives native SegWit addresses, of BIP-84’s own vector', () => {
    expect(addresses(ZPUB, 'bitcoin').slice(0, 2)).toEqual([
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
    ])
  })

  it('derives addresses of scripts for a key that is for those', () => {
    expect(addresses(YPUB, 'bitcoin')[0]).toBe('37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf')
  })

  it('derives TRON addresses', () => {
    expect(addresses(XPUB, 'tron')[0]).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
  })

  it('shows the addresses of a list for Solana, each of which signed its place', () => {
    const listed = Array.from({ length: 21 }, (_, index) => {
      const seed = new Uint8Array(32).fill(index + 1)
      const signature = plainBase58(ed25519.sign(depositProofMessage(index), seed))
      return { index, address: plainBase58(ed25519.getPublicKey(seed)), signature }
    })
    const text = (rows: readonly object[]) => JSON.stringify({ family: 'SOL_Family', addresses: rows })
    expect(addresses(text(listed), 'solana')).toEqual(listed.slice(0, 20).map(({ address }) => address))
    const [first, second] = listed
    for (const bad of [
      text([]),
      text([{ ...first, index: 1 }]),
      text([{ ...first, address: second?.address }]),
      'null',
      XPUB,
    ])
      expect(derive(bad, 'solana')).toEqual({ problem: 'badList' })
    const keyFile = JSON.stringify(Array.from({ length: 64 }, (_, at) => at))
    for (const secret of [keyFile, 'test test test test test test test test test test test junk'])
      expect(derive(secret, 'solana')).toEqual({ problem: 'secret' })
  })

  it('refuses what could spend money, and looks at it no further', () => {
    for (const secret of [
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
      `0x${'ab'.repeat(32)}`,
      'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn',
      'test test test test test test test test test test test junk',
      'éclat balise rampe abeille tasse grappe nuage olive perle quitter rosée sauter',
    ]) {
      expect([secret, derive(secret, 'evm')]).toEqual([secret, { problem: 'secret' }])
    }
  })

  it('refuses a damaged key and one of another depth', () => {
    expect(derive(XPUB.replace('Ce9', 'Ce8'), 'evm')).toEqual({ problem: 'badKey' })
    expect(derive('hello', 'evm')).toEqual({ problem: 'badKey' })
    const root =
      'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8'
    expect(derive(root, 'evm')).toEqual({ problem: 'depth', depth: 0 })
  })
})
