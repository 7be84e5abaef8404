import { accountOf } from '@kassa/keys/address-text.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'

import type { AddressKey } from './adapter.ts'
import { InvalidInput } from './errors.ts'

/** Makes a private key of secp256k1 from the randomness of the system, 32 bytes. */
export function newPrivateKey(): Uint8Array {
  return secp256k1.utils.randomSecretKey()
}

/**
 * Reads a private key as wallets of EVM chains and of TRON print it: a scalar of secp256k1, 64 hex digits, from 1 to the order
 * of the group less 1 (SEC 1, 3.2.1).
 * @throws InvalidInput PRIVATE_KEY_INVALID
 */
export function readPrivateKey(text: string): Uint8Array {
  const digits = text.trim().replace(/^0x/i, '')
  if (/^[a-z]prv/i.test(digits)) refuse('This is an extended key of many addresses: export the key of one account')
  if (/\s/.test(digits)) refuse('This is not a key but a phrase: export the key of one account')
  if (digits.length !== 64) refuse('A private key here has 64 digits')
  if (!/^[0-9a-f]*$/i.test(digits)) refuse('A private key here has the digits 0–9 and a–f only')
  const key = new Uint8Array(Buffer.from(digits, 'hex'))
  if (!secp256k1.utils.isValidSecretKey(key)) refuse('No account has this key: it is zero or too large')
  return key
}

/** The 20 bytes of the account that a private key signs for. */
export function accountOfPrivateKey(key: Uint8Array): AddressKey {
  return accountOf(secp256k1.getPublicKey(key))
}

function refuse(reason: string): never {
  throw new InvalidInput('PRIVATE_KEY_INVALID', reason)
}
