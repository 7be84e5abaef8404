import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { p2pkh, p2sh, p2tr, p2wpkh, p2wsh } from '@scure/btc-signer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chainIn } from '../../chain.ts'
import { InvalidInput } from '../../errors.ts'
import { bitcoinAddresses } from './addresses.ts'
import { bitcoinDeposits } from './derivation.ts'
import { bitcoinUris } from './payment-uris.ts'

const definition = findBlockchain('BTC')
const chainOf = (mode: NetworkMode) => chainIn(mode, definition ?? never())
const mainnet = chainOf('mainnet')
const seed = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)
const ZPUB = { public: 0x04b24746, private: 0x04b2430c }
const YPUB = { public: 0x049d7cb2, private: 0x049d7878 }
const VPUB = { public: 0x045f1cf6, private: 0x045f18bc }
const UPUB = { public: 0x044a5262, private: 0x044a4e28 }
const keyAt = (path: string, versions?: typeof ZPUB) => HDKey.fromMasterSeed(seed, versions).derive(path)
const zpub = keyAt("m/84'/0'/0'", ZPUB).publicExtendedKey

const refusal = (source: unknown, mode: NetworkMode = 'mainnet') => {
  try {
    bitcoinDeposits.check(source, mode)
  } catch (error) {
    return error instanceof InvalidInput ? `${error.code} ${error.message}` : error
  }
  return undefined
}
const reason = (text: string, mode: NetworkMode = 'mainnet') => {
  try {
    bitcoinAddresses.parse(chainOf(mode), text)
  } catch (error) {
    return (error as Error).message
  }
  return undefined
}

describe('bitcoin.addresses', () => {
  it('reads and writes the addresses of every kind of script as another library does', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }).filter((key) => key.some((byte) => byte > 0)),
        (bytes) => {
          const key = HDKey.fromMasterSeed(bytes).publicKey ?? never()
          const single = p2wpkh(key)
          for (const { address, script } of [
            single,
            p2pkh(key),
            p2sh(single),
            p2wsh(p2pkh(key)),
            p2tr(key.subarray(1)),
          ]) {
            expect(bitcoinAddresses.key(mainnet, address ?? '')).toEqual(script)
            expect(bitcoinAddresses.format(mainnet, script)).toBe(address)
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  // BIP-173 and BIP-350, "Test vectors": wrong checksum kinds, versions, lengths and padding.
  it.each([
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
    'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    'bc1pw5dgrnzv',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
    'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
    'bc1gmk9yu',
  ])('refuses %s', (text) => {
    expect(() => bitcoinAddresses.normalize(mainnet, text)).toThrow(InvalidInput)
  })

  it('says where an address belongs', () => {
    const test = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
    expect(reason(test)).toBe('This address is of a test network of Bitcoin')
    expect(reason(test, 'testnet')).toBeUndefined()
    expect(reason('1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'sandbox')).toMatch(/main network/)
    expect(reason('0x9858EfFD232B4033E47d90003D41EC34EcaEda94')).toMatch(/starts with bc1, and an old one with 1 or 3/)
    expect(reason('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyv')).toMatch(/checksum/)
  })

  it('links to a wallet with the exact amount (BIP-321)', () => {
    const [to, units] = ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 2_099_999_997_690_000n]
    expect(bitcoinUris.payment(mainnet, { assetId: 2, to, units })).toBe(`bitcoin:${to}?amount=20999999.9769`)
  })
})

describe('bitcoin.deposits', () => {
  // BIP-84 and BIP-49, "Test vectors".
  it.each([
    ['mainnet', zpub, "m/84'/0'/0'", 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    ['mainnet', keyAt("m/49'/0'/0'", YPUB).publicExtendedKey, "m/49'/0'/0'", '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf'],
    [
      'testnet',
      keyAt("m/84'/1'/0'", VPUB).publicExtendedKey,
      "m/84'/1'/0'",
      'tb1q6rz28mcfaxtmd6v789l9rrlrusdprr9pqcpvkl',
    ],
    ['testnet', keyAt("m/49'/1'/0'", UPUB).publicExtendedKey, "m/49'/1'/0'", '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2'],
    [
      'sandbox',
      keyAt("m/84'/1'/0'", VPUB).publicExtendedKey,
      "m/84'/1'/0'",
      'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk',
    ],
  ] as const)('gives the addresses of a key on %s %s', (mode, key, path, first) => {
    const source = bitcoinDeposits.check(key, mode)
    expect(source.path).toBe(path)
    expect(bitcoinDeposits.derive(chainOf(mode), source, 0)).toBe(first)
  })

  it('takes an xpub whose path says which addresses it has', () => {
    const account = keyAt("m/84'/0'/0'").publicExtendedKey
    const source = bitcoinDeposits.check({ xpub: account, path: "m/84'/0'/0'" }, 'mainnet')
    expect(bitcoinDeposits.derive(mainnet, source, 1)).toBe('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g')
    expect(refusal(account)).toMatch(/does not say which addresses it has: state its path/)
    expect(refusal({ xpub: account, path: "m/44'/0'/0'" })).toMatch(/does not say which addresses/)
  })

  it.each([
    ['a key of the main network on a test network', zpub, 'testnet', /starts with vpub belongs here/],
    ['a key of a test network', keyAt("m/84'/1'/0'", VPUB).publicExtendedKey, 'mainnet', /starts with zpub/],
    ['a private key', keyAt("m/84'/0'/0'", ZPUB).privateExtendedKey, 'mainnet', /^XPUB_IS_PRIVATE/],
    [
      'a key of depth 0',
      keyAt('m', ZPUB).publicExtendedKey,
      'mainnet',
      /depth 0; paste the account's key \(m\/84'\/0'\/0'\)/,
    ],
    ['a key at another path than stated', { xpub: zpub, path: "m/84'/0'/1'" }, 'mainnet', /not at m\/84'\/0'\/1'/],
    ['a key whose first letter was changed', zpub.replace('zpub', 'ypub'), 'mainnet', /damaged/],
    ['other text', 'hello', 'mainnet', /starts with zpub, ypub, or xpub/],
  ] as const)('refuses %s', (_what, source, mode, words) => {
    expect(refusal(source, mode)).toMatch(words)
  })
})

function never(): never {
  throw new Error('This cannot be')
}
