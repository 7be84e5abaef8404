import { keccak_256 } from '@noble/hashes/sha3.js'

/** Prints bytes as lower-case hex with `0x`. */
export function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

/** Reads the bytes of hex text with `0x`; the caller has checked that it is hex. */
export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))
}

/** Hashes bytes with Keccak-256. */
export function keccak(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes)
}
