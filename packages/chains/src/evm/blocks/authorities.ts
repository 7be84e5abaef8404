import { accountOf } from '@kassa/keys/address-text.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'

import type { AddressKey } from '../../adapter.ts'
import { fromHex, keccak, toQuantity } from '../encoding/hex.ts'
import { encodeRlp, rlpQuantity } from '../encoding/rlp.ts'
import { hexBytes, type Json, list, object, quantity } from '../encoding/wire.ts'

/** The type of a transaction that gives accounts code (EIP-7702). */
const SETS_CODE = '0x4'

/** What an account signs begins with this byte (EIP-7702). */
const MAGIC = 0x05

/** Bytes of each half of a signature. */
const HALF = 32

/**
 * Lists the accounts that this transaction, as the node writes it, gives code (EIP-7702): each signed for itself, and no other
 * field names it. Null when a signature cannot be read, so that nobody knows whose it is.
 */
export function authoritiesIn(transaction: Json): readonly AddressKey[] | null {
  if (transaction['type'] !== SETS_CODE) return []
  try {
    return list(transaction['authorizationList'], 'authorizationList').map((one) =>
      signerOf(object(one, 'authorization')),
    )
  } catch {
    return null
  }
}

function signerOf(authorization: Json): AddressKey {
  const number = (name: string) => quantity(authorization[name], name)
  const signed = [
    rlpQuantity(number('chainId')),
    fromHex(hexBytes(authorization['address'], 'address')),
    rlpQuantity(number('nonce')),
  ]
  const digest = keccak(Buffer.concat([Uint8Array.of(MAGIC), encodeRlp(signed)]))
  const signature = Buffer.concat([Uint8Array.of(Number(number('yParity'))), halfOf(number('r')), halfOf(number('s'))])
  return accountOf(secp256k1.recoverPublicKey(signature, digest, { prehash: false }))
}

function halfOf(value: bigint): Uint8Array {
  return fromHex(toQuantity(value).replace('0x', `0x${'0'.repeat(2 * HALF - value.toString(16).length)}`))
}
