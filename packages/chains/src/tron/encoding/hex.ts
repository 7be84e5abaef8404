/** Nodes of TRON print bytes as lower-case hex without `0x`. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** Reads the bytes of hex text without `0x`; the caller has checked that it is hex. */
export function fromHex(hex: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(hex, 'hex')
  return new Uint8Array(buffer, byteOffset, byteLength)
}
