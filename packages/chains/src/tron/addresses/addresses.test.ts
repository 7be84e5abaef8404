import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainIn } from '../../chain.ts'
import { tronAddresses } from './addresses.ts'
import { tronDeposits } from './derivation.ts'
import { tronUris } from './payment-uris.ts'
import { tronTransactionIds } from './transaction-ids.ts'

const definition = findBlockchain('TRX')
if (!definition) throw new Error('There is no TRX')
const chain = chainIn('mainnet', definition)
const account = HDKey.fromMasterSeed(mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)).derive("m/44'/195'/0'")
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

describe('tron.addresses', () => {
  it('prints any 20 bytes as text that reads back to them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (key) => {
        const text = tronAddresses.format(chain, key)
        expect(text).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
        expect(tronAddresses.key(chain, tronAddresses.parse(chain, text))).toEqual(key)
      }),
    )
  })

  it('reads the spelling of nodes', () => {
    const hex = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'
    for (const text of [USDT, ` ${USDT}\n`, `41${hex}`, `0x41${hex.toUpperCase()}`]) {
      expect(tronAddresses.normalize(chain, text)).toBe(USDT)
    }
  })

  it.each([
    ['a letter in the other case', USDT.replace('R7', 'r7')],
    ['a letter changed', USDT.replace('GT', 'GU')],
    ['one of Bitcoin', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
    ['one of Ethereum', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    ['hex, which people do not check', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
  ])('refuses of a person %s', (_what, text) => {
    expect(() => tronAddresses.parse(chain, text)).toThrow(expect.objectContaining({ code: 'ADDRESS_INVALID' }))
  })
})

describe('tron.deposits', () => {
  it.each([
    [0, 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'],
    [1, 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'],
  ])('gives the wallet’s own address for index %i (BIP-44, SLIP-44 195)', (index, address) => {
    expect(tronDeposits.derive(chain, tronDeposits.check(account.publicExtendedKey), index)).toBe(address)
  })

  it('names its own account path when a key of another depth is pasted', () => {
    const deeper = account.deriveChild(0).publicExtendedKey
    expect(() => tronDeposits.check(deeper)).toThrow("m/44'/195'/0'")
  })
})

describe('tron.uris and ids', () => {
  it('write amounts in whole coins, and name the token', () => {
    const to = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
    expect(tronUris.payment(chain, { assetId: 3, to, units: 1_500_000n })).toBe(`tron:${to}?amount=1.5`)
    expect(tronUris.payment(chain, { assetId: 13, to, units: 20_000_000n })).toBe(`tron:${to}?amount=20&token=${USDT}`)
  })

  it('read an id with or without 0x, in either case', () => {
    const id = 'ab'.repeat(32)
    for (const text of [id, `0x${id}`, id.toUpperCase()]) expect(tronTransactionIds.normalizeId(text)).toBe(id)
    expect(tronTransactionIds.normalizeId(id.slice(1))).toBeNull()
  })
})
