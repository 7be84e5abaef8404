import { concatBytes } from '@noble/hashes/utils.js'

/**
 * The wire format of protocol buffers (https://protobuf.dev/programming-guides/encoding), as far as the messages of TRON
 * use it: whole numbers and bytes.
 */
export type Field = { readonly number: number; readonly value: bigint | Uint8Array }

const [VARINT, FIXED64, BYTES, FIXED32] = [0, 1, 2, 5]

/** A varint of 64 bits has at most ten bytes of seven bits. */
const MOST_VARINT_BYTES = 10

/** Reads the fields of a message in their order. @throws RangeError when the bytes are no message */
export function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let count = 0; count < MOST_VARINT_BYTES; count += 1) {
      const byte = bytes[at]
      if (byte === undefined) break
      at += 1
      value |= BigInt(byte & 0x7f) << BigInt(7 * count)
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new RangeError('A number ends early or is too long')
  }
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError('A field ends behind the message')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const [number, type] = [Math.floor(tag / 8), tag % 8]
    if (type === VARINT) fields.push({ number, value: varint() })
    else if (type === BYTES) fields.push({ number, value: take(Number(varint())) })
    else if (type === FIXED64) fields.push({ number, value: take(8) })
    else if (type === FIXED32) fields.push({ number, value: take(4) })
    else throw new RangeError(`There is no field of type ${type}`)
  }
  return fields
}

/** Writes fields in the order given; zero and no bytes are left out, as proto3 does. */
export function writeFields(fields: readonly Field[]): Uint8Array {
  return concatBytes(...fields.flatMap(writeField))
}

function writeField({ number, value }: Field): Uint8Array[] {
  if (typeof value === 'bigint') {
    return value === 0n ? [] : [varintOf(BigInt(number * 8 + VARINT)), varintOf(value)]
  }
  if (value.length === 0) return []
  return [varintOf(BigInt(number * 8 + BYTES)), varintOf(BigInt(value.length)), value]
}

function varintOf(value: bigint): Uint8Array {
  const bytes: number[] = []
  let left = BigInt.asUintN(64, value)
  do {
    const low = Number(left & 0x7fn)
    left >>= 7n
    bytes.push(left > 0n ? low | 0x80 : low)
  } while (left > 0n)
  return Uint8Array.from(bytes)
}
