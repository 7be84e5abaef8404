import { concatBytes } from '@noble/hashes/utils.js'

/**
 * The wire format of protocol buffers (https://protobuf.dev/programming-guides/encoding), as far as the messages of TRON
 * use it: whole numbers and bytes.
 */
export type Field = { readonly number: number; readonly value: bigint | Uint8Array }

const [VARINT, FIXED64, BYTES, START_GROUP, END_GROUP, FIXED32] = [0, 1, 2, 3, 4, 5]

/** A varint of 64 bits has at most ten bytes of seven bits. */
const MOST_VARINT_BYTES = 10

/** Groups within groups are read no deeper than this, as nodes do. */
const MOST_GROUPS = 100

/**
 * Reads the whole numbers and bytes of a message in their order, as the nodes of TRON do (protobuf for Java, `CodedInputStream`): of a tag
 * and of a length only the low 32 bits count, and fields of other types are passed over. Any sender may write a message otherwise than
 * `writeFields` does, and what its nodes executed is what counts. @throws RangeError when the bytes are no message
 */
export function readFields(bytes: Uint8Array): Field[] {
  const fields: Field[] = []
  const reader = readerOf(bytes)
  for (let field = readField(reader, 0); field; field = readField(reader, 0)) {
    if (field.type === END_GROUP) throw new RangeError('A group ends that never began')
    const { number, value } = field
    if (value !== null) fields.push({ number, value })
  }
  return fields
}

type Reader = ReturnType<typeof readerOf>

function readerOf(bytes: Uint8Array) {
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
  return { varint, take, low32: () => Number(BigInt.asUintN(32, varint())), isAtEnd: () => at >= bytes.length }
}

/** Reads one field; without a value where it is neither a whole number nor bytes, and null behind the last one. */
function readField(reader: Reader, depth: number) {
  if (reader.isAtEnd()) return null
  const tag = reader.low32()
  const [number, type] = [Math.floor(tag / 8), tag % 8]
  if (number === 0) throw new RangeError('Fields are numbered from 1')
  if (type === VARINT) return { number, type, value: reader.varint() }
  if (type === BYTES) return { number, type, value: reader.take(reader.low32()) }
  if (type === FIXED64) reader.take(8)
  else if (type === FIXED32) reader.take(4)
  else if (type === START_GROUP) skipGroup(reader, number, depth + 1)
  else if (type !== END_GROUP) throw new RangeError(`There is no field of type ${type}`)
  return { number, type, value: null }
}

function skipGroup(reader: Reader, number: number, depth: number): void {
  if (depth > MOST_GROUPS) throw new RangeError('Groups lie too deep within one another')
  for (let field = readField(reader, depth); field; field = readField(reader, depth)) {
    if (field.type !== END_GROUP) continue
    if (field.number === number) return
    break
  }
  throw new RangeError('A group does not end')
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
