import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { bytesToHex } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import { accountOf, checksumAddress } from './address-text.ts'
import { type ExtendedKeyKind, parseExtendedKey, publicKeyOfSeed } from './extended-key.ts'

const ALL: readonly ExtendedKeyKind[] = ['xpub', 'tpub', 'zpub', 'vpub']
const seed = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`)
const root = HDKey.fromMasterSeed(seed)
const xpub = root.derive("m/44'/60'/0'").publicExtendedKey

/** The vector of BIP-84. */
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'

/** Chain m/0' of test vector 1 of BIP-32, and its child 1. */
const PARENT =
  'xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw'
const CHILD =
  'xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ'

describe('keys.parseExtendedKey', () => {
  it('derives the child of BIP-32’s own vector', () => {
    const [child, expected] = [parseExtendedKey(PARENT, ALL)?.child(1), parseExtendedKey(CHILD, ALL)]
    expect(child).toMatchObject({ depth: 2, index: 1, fingerprint: expected?.fingerprint })
    expect(bytesToHex(child?.publicKey ?? new Uint8Array())).toBe(bytesToHex(expected?.publicKey ?? new Uint8Array(1)))
    expect(bytesToHex(child?.chainCode ?? new Uint8Array())).toBe(bytesToHex(expected?.chainCode ?? new Uint8Array(1)))
  })

  it('says where a key sits: depth, place below its parent, fingerprint', () => {
    const account = root.derive("m/44'/60'/0'")
    const fingerprint = account.fingerprint.toString(16).padStart(8, '0')
    expect(parseExtendedKey(xpub, ALL)).toMatchObject({ kind: 'xpub', depth: 3, index: 2 ** 31, fingerprint })
    expect(parseExtendedKey(ZPUB, ALL)).toMatchObject({ kind: 'zpub', depth: 3 })
  })

  it('leads to the addresses every wallet shows (BIP-44)', () => {
    const receiving = parseExtendedKey(xpub, ['xpub'])?.child(0)
    const addresses = [0, 1].map((index) => receiving?.child(index).publicKey ?? new Uint8Array())
    expect(addresses.map((key) => checksumAddress(accountOf(key)))).toEqual([
      '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
      '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0',
    ])
  })

  it.each([
    ['a changed character', xpub.slice(0, -1) + (xpub.endsWith('a') ? 'b' : 'a')],
    ['a missing end', xpub.slice(0, -4)],
    ['a prefix that its bytes deny', `zpub${xpub.slice(4)}`],
    ['a private key', root.privateExtendedKey],
    ['a private key under a public prefix', `xpub${root.privateExtendedKey.slice(4)}`],
    ['an address', '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    ['very long text', `xpub${'6'.repeat(10_000)}`],
    ['nothing', ''],
  ])('gives null for %s', (_, text) => {
    expect(parseExtendedKey(text, ALL)).toBeNull()
  })

  it('gives null for a kind that is not asked for', () => {
    expect(parseExtendedKey(ZPUB, ['xpub'])).toBeNull()
  })

  it('derives no hardened child: that needs the private key', () => {
    expect(() => parseExtendedKey(xpub, ALL)?.child(2 ** 31)).toThrow(Error)
  })
})

describe('keys.publicKeyOfSeed', () => {
  it('gives the account’s public key', () => {
    expect(publicKeyOfSeed(seed, "m/44'/60'/0'")).toBe(xpub)
  })
})
