import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { describe, expect, it } from 'vitest'

import { readAccount } from './derive-account.ts'
import { EVM, TRON } from './families.ts'
import { accountOfSeedPhrase, makeWallet } from '../adding/new-seed-phrase.ts'

const WORDS = `${'abandon '.repeat(11)}about`
const root = HDKey.fromMasterSeed(mnemonicToSeedSync(WORDS))

describe('readAccount', () => {
  it('derives the addresses every wallet shows for this account (BIP-44)', () => {
    expect(readAccount(root.derive("m/44'/60'/0'").publicExtendedKey, EVM).firstAddresses).toEqual([
      '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
      '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0',
      '0xb6716976A3ebe8D39aCEB04372f22Ff8e6802D7A',
    ])
  })

  it('writes those of TRON as its wallets do', () => {
    expect(readAccount(root.derive("m/44'/195'/0'").publicExtendedKey, TRON).firstAddresses.slice(0, 2)).toEqual([
      'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
      'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK',
    ])
  })

  it('refuses a key of another depth, naming the one that is wanted', () => {
    expect(() => readAccount(root.derive("m/44'/60'").publicExtendedKey, EVM)).toThrow(
      "This key is at depth 2; paste the account’s key (m/44'/60'/0')",
    )
  })

  it('refuses a key with one character changed', () => {
    const { publicExtendedKey: xpub } = root.derive("m/44'/60'/0'")
    const changed = xpub.slice(0, 50) + (xpub[50] === 'a' ? 'b' : 'a') + xpub.slice(51)
    expect(() => readAccount(changed, EVM)).toThrow('The key is damaged: copy all of it again')
  })

  it('refuses a private key', () => {
    expect(() => readAccount(root.derive("m/44'/60'/0'").privateExtendedKey, EVM)).toThrow('This key is not public')
  })
})

describe('makeWallet', () => {
  it.each([12, 24] as const)('makes %i valid words that lead to the account it shows', async (count) => {
    const { words, account } = await makeWallet(count, EVM)
    expect(words).toHaveLength(count)
    expect(validateMnemonic(words.join(' '), wordlist)).toBe(true)
    expect(await accountOfSeedPhrase(words.join(' '), EVM)).toEqual(account)
    expect(account.xpub).toMatch(/^xpub/)
  })

  it('makes other words each time', async () => {
    const [one, two] = await Promise.all([makeWallet(12, EVM), makeWallet(12, EVM)])
    expect(one.words).not.toEqual(two.words)
  })
})
