import { t } from '@lingui/core/macro'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'

import { ACCOUNT_PATH } from './account-path.ts'

/** How deep ACCOUNT_PATH is. */
const ACCOUNT_DEPTH = 3

/** An account's public side, and its first addresses to compare with another wallet. */
export type Account = { readonly xpub: string; readonly firstAddresses: readonly string[] }

/** Enough addresses to compare; chance does not make three of them equal. */
const SHOWN = 3

/** Returns the account of an extended public key. @throws Error with a sentence for the field when it is none */
export function readAccount(xpub: string): Account {
  const account = parse(xpub)
  if (account.privateKey !== null) throw new Error(t`This key is not public`)
  if (account.depth !== ACCOUNT_DEPTH) {
    const { depth } = account
    throw new Error(t`This key is at depth ${depth}; paste the account’s key (${ACCOUNT_PATH})`)
  }
  const receiving = account.deriveChild(0)
  const firstAddresses = Array.from({ length: SHOWN }, (_, index) => addressOf(receiving.deriveChild(index)))
  return { xpub, firstAddresses }
}

/** Returns the account that a wallet's seed (BIP-39) leads to; nothing private is left in the answer. */
export function accountOfSeed(seed: Uint8Array): Account {
  const root = HDKey.fromMasterSeed(seed)
  const account = root.derive(ACCOUNT_PATH)
  const xpub = account.publicExtendedKey
  root.wipePrivateData()
  account.wipePrivateData()
  return readAccount(xpub)
}

function parse(xpub: string): HDKey {
  try {
    return HDKey.fromExtendedKey(xpub)
  } catch {
    throw new Error(t`The key is damaged: copy all of it again`)
  }
}

function addressOf({ publicKey }: HDKey): string {
  if (publicKey === null) throw new Error(t`The key has no public part`)
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)
  return checksummed(bytesToHex(keccak_256(point).subarray(12)))
}

/** Writes the hexadecimal digits of an address in the case of EIP-55. */
function checksummed(digits: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const cased = Array.from(digits, (digit, at) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}
