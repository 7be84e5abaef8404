import { base58Text, readBase58 } from '@kassa/keys/address-text.ts'
import type { AddressCodec, AddressKey } from '../../adapter.ts'
import { InvalidInput } from '../../errors.ts'
import { fromHex } from '../encoding/hex.ts'

/** First byte of every address on the main and test networks (TIP-26): it makes Base58Check begin with T. */
const PREFIX = 0x41

const KEY_BYTES = 20

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
    if (keyOf(text)) return text
    throw new InvalidInput('ADDRESS_INVALID', 'The checksum is wrong: copy the address again, with its capitals')
  },
  format: (_chain, key) => addressText(key),
  key: (_chain, address) => addressKey(address),
  normalize(_chain, text) {
    const trimmed = text.trim()
    if (keyOf(trimmed)) return trimmed
    const hex = PREFIXED_HEX.exec(trimmed)?.[1]
    if (hex !== undefined) return addressText(fromHex(hex.toLowerCase()))
    throw new InvalidInput('ADDRESS_INVALID', 'An address here starts with T and has 34 characters')
  },
}

/** Writes 20 bytes as the address that people read. @throws RangeError when there are not exactly 20 bytes */
export function addressText(key: AddressKey): string {
  if (key.length !== KEY_BYTES) throw new RangeError('An address key has 20 bytes')
  return base58Text(prefixedBytes(key))
}

/** Reads the 20 bytes of an address. @throws RangeError when it is none */
export function addressKey(address: string): AddressKey {
  const key = keyOf(address)
  if (!key) throw new RangeError('This is no address of TRON')
  return key
}

/** Writes 20 bytes as messages carry an address: behind its prefix. */
export function prefixedBytes(key: AddressKey): Uint8Array {
  return Uint8Array.of(PREFIX, ...key)
}

/** The 20 bytes of an address as messages carry it: with its prefix; null when it is none. */
export function prefixedKey(bytes: Uint8Array): AddressKey | null {
  return bytes.length === KEY_BYTES + 1 && bytes[0] === PREFIX ? bytes.subarray(1) : null
}

function keyOf(text: string): AddressKey | null {
  const bytes = readBase58(text)
  return bytes && prefixedKey(bytes)
}
