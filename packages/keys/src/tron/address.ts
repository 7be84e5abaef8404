import { base58Text, readBase58 } from '../address-text.ts'

/** First byte of every address on the main and test networks (TIP-26): it makes Base58Check begin with T. */
const PREFIX = 0x41

const KEY_BYTES = 20

/** Writes 20 bytes as the address that people read. @throws RangeError when there are not exactly 20 bytes */
export function tronText(key: Uint8Array): string {
  if (key.length !== KEY_BYTES) throw new RangeError('An address key has 20 bytes')
  return base58Text(prefixedBytes(key))
}

/** Reads the 20 bytes of an address; null when it is none. */
export function readTronText(text: string): Uint8Array | null {
  const bytes = readBase58(text)
  return bytes && prefixedKey(bytes)
}

/** Writes 20 bytes as messages carry an address: behind its prefix. */
export function prefixedBytes(key: Uint8Array): Uint8Array {
  return Uint8Array.of(PREFIX, ...key)
}

/** The 20 bytes of an address as messages carry it: with its prefix; null when it is none. */
export function prefixedKey(bytes: Uint8Array): Uint8Array | null {
  return bytes.length === KEY_BYTES + 1 && bytes[0] === PREFIX ? bytes.subarray(1) : null
}
