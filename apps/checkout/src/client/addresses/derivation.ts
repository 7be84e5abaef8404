import { isSecret } from '@kassa/primitives/secrets.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { bech32, createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import type { Kind } from '../../render/addresses.ts'

/** What an extended public key leads to, or why to nothing. */
export type Derived =
  | { readonly addresses: readonly string[] }
  | { readonly problem: 'secret' | 'badKey' }
  | { readonly problem: 'depth'; readonly depth: number }

/** How deep the account's key is (BIP-44). */
const ACCOUNT_DEPTH = 3

const SHOWN = 20

/** The version bytes of public keys: xpub, tpub (BIP-32), zpub, vpub (SLIP-132). */
const VERSIONS: Readonly<Record<string, number>> = {
  x: 0x04_88_b2_1e,
  t: 0x04_35_87_cf,
  z: 0x04_b2_47_46,
  v: 0x04_5f_1c_f6,
}

const base58check = createBase58check(sha256)

/** Derives the first 20 receiving addresses of an account. Text that could spend money is looked at no further. */
export function derive(pasted: string, kind: Kind): Derived {
  const text = pasted.trim()
  if (isSecret(text)) return { problem: 'secret' }
  const version = VERSIONS[text.charAt(0)]
  if (version === undefined || !/^.pub[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return { problem: 'badKey' }
  let account: HDKey
  try {
    account = HDKey.fromExtendedKey(text, { public: version, private: 0 })
  } catch {
    return { problem: 'badKey' }
  }
  if (account.depth !== ACCOUNT_DEPTH) return { problem: 'depth', depth: account.depth }
  const receiving = account.deriveChild(0)
  const isTest = text.startsWith('t') || text.startsWith('v')
  return {
    addresses: Array.from({ length: SHOWN }, (_, index) => addressOf(receiving.deriveChild(index), kind, isTest)),
  }
}

function addressOf(key: HDKey, kind: Kind, isTest: boolean): string {
  if (kind === 'bitcoin') return segwit(key, isTest)
  const account = accountOf(key)
  return kind === 'tron'
    ? base58check.encode(concatBytes(Uint8Array.of(0x41), account))
    : checksummed(bytesToHex(account))
}

/** Native SegWit (BIP-84): the hash of the public key, in bech32 (BIP-173). */
function segwit({ pubKeyHash }: HDKey, isTest: boolean): string {
  if (pubKeyHash === undefined) throw new Error('The key has no public part')
  return bech32.encode(isTest ? 'tb' : 'bc', [0, ...bech32.toWords(pubKeyHash)])
}

/** The 20 bytes EVM networks and Tron know an account by. */
function accountOf({ publicKey }: HDKey): Uint8Array {
  if (publicKey === null) throw new Error('The key has no public part')
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)
  return keccak_256(point).subarray(12)
}

/** Writes the hexadecimal digits of an address in the case of EIP-55. */
function checksummed(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const cased = Array.from(digits, (digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}
