import { readTronText, tronText } from '@kassa/keys/tron/address.ts'
import type { AddressCodec, AddressKey } from '../../adapter.ts'
import { InvalidInput } from '../../errors.ts'
import { fromHex } from '../encoding/hex.ts'

/** An address as nodes print it: the prefix and 20 bytes. Without the prefix it would be an address of an EVM chain. */
const PREFIXED_HEX = /^(?:0x)?41([0-9a-fA-F]{40})$/

/**
 * Addresses of TRON: 20 bytes behind the prefix 0x41, written in Base58Check. `normalize` also takes the hexadecimal
 * spelling of nodes.
 */
export const tronAddresses: AddressCodec = {
  parse(_chain, text) {
    if (!text.startsWith('T')) throw new InvalidInput('ADDRESS_INVALID', 'An address here starts with T')
    if (text.length !== 34) throw new InvalidInput('ADDRESS_INVALID', 'An address here has 34 characters')
    if (readTronText(text)) return text
    throw new InvalidInput('ADDRESS_INVALID', 'The checksum is wrong: copy the address again, with its capitals')
  },
  format: (_chain, key) => addressText(key),
  key: (_chain, address) => addressKey(address),
  normalize(_chain, text) {
    const trimmed = text.trim()
    if (readTronText(trimmed)) return trimmed
    const hex = PREFIXED_HEX.exec(trimmed)?.[1]
    if (hex !== undefined) return addressText(fromHex(hex.toLowerCase()))
    throw new InvalidInput('ADDRESS_INVALID', 'An address here starts with T and has 34 characters')
  },
}

/** Writes 20 bytes as an address. @throws RangeError unless there are exactly 20 bytes */
export function addressText(key: AddressKey): string {
  return tronText(key)
}

/** Reads the 20 bytes of an address. @throws RangeError when the text is not an address */
export function addressKey(address: string): AddressKey {
  const key = readTronText(address)
  if (!key) throw new RangeError('This is no address of TRON')
  return key
}
