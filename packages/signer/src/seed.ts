import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

import { type AddressList, makeAddressList } from './address-list.ts'

/** Bytes of randomness behind 24 words (BIP-39). */
const ENTROPY_BYTES = 32

/** The keys of a seed. They never leave the memory of the program. */
export type Seed = {
  /** BIP-32 fingerprint of the master key, 8 hex digits, by which pins are stored. */
  readonly fingerprint: string
  /** The extended public key of an account. @throws Error for a path that is none */
  xpub(path: string): string
  /** Deposit addresses of Solana with a proof of each key. @throws RangeError */
  addressList(range: { first: number; count: number }): AddressList
  /** Passes the private key at a path to a function and overwrites it afterwards. @throws Error for an invalid path */
  withKey<T>(path: string, use: (key: Uint8Array, publicKey: Uint8Array) => T): T
}

/**
 * Makes 24 words from 256 bits of the system's randomness, mixed with what a person adds: dice, random key presses. The
 * addition cannot make it weaker.
 */
export function newPhrase(added: string): string {
  const random = crypto.getRandomValues(new Uint8Array(ENTROPY_BYTES))
  return entropyToMnemonic(sha256(concatBytes(random, utf8ToBytes(added))), wordlist)
}

/** Reads a recovery phrase of English words as it is written or pasted; null when words or checksum are wrong (BIP-39). */
export function readPhrase(text: string): string | null {
  const phrase = text.trim().toLowerCase().split(/\s+/).join(' ')
  return validateMnemonic(phrase, wordlist) ? phrase : null
}

/** Opens a seed. @throws Error for a phrase that `readPhrase` does not read */
export function openSeed(phrase: string, password = ''): Seed {
  const masterSeed = mnemonicToSeedSync(phrase, password)
  const root = HDKey.fromMasterSeed(masterSeed)
  return {
    fingerprint: root.fingerprint.toString(16).padStart(8, '0'),
    xpub(path) {
      const node = root.derive(path)
      const text = node.publicExtendedKey
      node.wipePrivateData()
      return text
    },
    addressList: (range) => makeAddressList(masterSeed, range),
    withKey(path, use) {
      const node = root.derive(path)
      const { privateKey, publicKey } = node
      if (!privateKey || !publicKey) throw new Error(`There is no key at ${path}`)
      try {
        return use(privateKey, publicKey)
      } finally {
        node.wipePrivateData()
      }
    },
  }
}
