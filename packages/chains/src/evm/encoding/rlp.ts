/** A byte string or a list of such items. */
export type Rlp = Uint8Array | readonly Rlp[]

/** Encodes an item in Ethereum's Recursive Length Prefix form (Yellow Paper, appendix B). */
export function encodeRlp(item: Rlp): Uint8Array {
  if (item instanceof Uint8Array) {
    const [only] = item
    return item.length === 1 && only !== undefined && only < 0x80
      ? item
      : Buffer.concat([prefix(item.length, 0x80), item])
  }
  const body = Buffer.concat(item.map(encodeRlp))
  return Buffer.concat([prefix(body.length, 0xc0), body])
}

/** Reads the bytes of hex text as they are. */
export function rlpBytes(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex')
}

/** Writes a quantity without leading zeros; zero is the empty string. */
export function rlpQuantity(value: bigint | number): Uint8Array {
  const digits = BigInt(value) === 0n ? '' : value.toString(16)
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}

function prefix(length: number, offset: number): Uint8Array {
  if (length < 56) return Uint8Array.of(offset + length)
  const size = rlpQuantity(length)
  return Buffer.concat([Uint8Array.of(offset + 55 + size.length), size])
}
