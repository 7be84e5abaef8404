import { readBase58 } from '@kassa/keys/address-text.ts'
import { prefixedKey } from '@kassa/keys/tron/address.ts'
import { fromHex } from '../../tron/encoding/hex.ts'

/** The 20 bytes of an address in any of the forms in which clients send it. @throws Error when it is none */
export function tronKey(text: string): Uint8Array {
  const bytes = /^[0-9a-f]{42}$/i.test(text) ? fromHex(text.toLowerCase()) : (readBase58(text) ?? new Uint8Array())
  const key = prefixedKey(bytes)
  if (!key) throw new Error('INVALID address')
  return key
}
