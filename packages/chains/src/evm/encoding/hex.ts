import { keccak_256 } from '@noble/hashes/sha3.js'

const textBytes = new TextEncoder()

/** Prints bytes as lower-case hex with `0x`. */
export function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

/** Reads the bytes of hex text with `0x`; the caller has checked that it is hex. */
export function fromHex(hex: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(hex.slice(2), 'hex')
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** Prints a height or any whole number as a JSON-RPC quantity: no leading zeros. */
export function toQuantity(value: number | bigint): string {
  return `0x${value.toString(16)}`
}

/** Hashes bytes with Keccak-256. */
export function keccak(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes)
}

/** Hashes the characters of a text with Keccak-256. */
export function keccakText(text: string): Uint8Array {
  return keccak_256(textBytes.encode(text))
}
