import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

/** A byte string or a list of such items. */
export type Rlp = Uint8Array | readonly Rlp[]

/** Nothing that is read here nests deeper: a transaction is a list of strings and of one list of lists. */
const DEEPEST = 8

/** Encodes an item in Ethereum's Recursive Length Prefix form (Yellow Paper, appendix B). */
export function encodeRlp(item: Rlp): Uint8Array {
  if (item instanceof Uint8Array) {
    const [only] = item
    return item.length === 1 && only !== undefined && only < 0x80 ? item : concatBytes(prefix(item.length, 0x80), item)
  }
  const body = concatBytes(...item.map(encodeRlp))
  return concatBytes(prefix(body.length, 0xc0), body)
}

/** Reads an item; null when it is damaged, has trailing bytes, or is not in its canonical form. */
export function decodeRlp(bytes: Uint8Array): Rlp | null {
  const read = readItem(bytes, 0, 0)
  return read !== null && read.end === bytes.length && bytesToHex(encodeRlp(read.item)) === bytesToHex(bytes)
    ? read.item
    : null
}

/** Reads the bytes of hex text as they are. */
export function rlpBytes(hex: string): Uint8Array {
  return hexToBytes(hex.slice(2))
}

/** Writes a quantity without leading zeros; zero is the empty string. */
export function rlpQuantity(value: bigint | number): Uint8Array {
  const digits = BigInt(value) === 0n ? '' : value.toString(16)
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`)
}

function prefix(length: number, offset: number): Uint8Array {
  if (length < 56) return Uint8Array.of(offset + length)
  const size = rlpQuantity(length)
  return concatBytes(Uint8Array.of(offset + 55 + size.length), size)
}

type Read = { readonly item: Rlp; readonly end: number }

function readItem(bytes: Uint8Array, at: number, depth: number): Read | null {
  const first = bytes[at]
  if (first === undefined || depth > DEEPEST) return null
  if (first < 0x80) return { item: bytes.slice(at, at + 1), end: at + 1 }
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  const sizeBytes = short > 55 ? short - 55 : 0
  const start = at + 1 + sizeBytes
  const length = sizeBytes === 0 ? short : lengthOf(bytes.slice(at + 1, start))
  const end = start + length
  if (end > bytes.length) return null
  if (!isList) return { item: bytes.slice(start, end), end }
  const items: Rlp[] = []
  for (let next = start; next < end;) {
    const read = readItem(bytes, next, depth + 1)
    if (read === null || read.end > end) return null
    items.push(read.item)
    next = read.end
  }
  return { item: items, end }
}

function lengthOf(bytes: Uint8Array): number {
  return bytes.reduce((length, byte) => length * 256 + byte, 0)
}
