/**
 * SHA-256 whose state after whole blocks can be stored and continued (FIPS 180-4). `node:crypto` and the libraries do not
 * expose that state. No branch or look-up depends on what is hashed.
 */

/** Bytes of a block. */
export const BLOCK = 64

/** Bytes of a state, and of a hash. */
export const STATE = 32

/** FIPS 180-4, 5.3.3: the state before the first block. */
const FIRST = Buffer.from('6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19', 'hex')

/** FIPS 180-4, 4.2.2: the constants of the 64 rounds. */
const ROUNDS = view(
  Buffer.from(
    '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc3' +
      '72be5d7480deb1fe9bdc06a7c19bf174e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da' +
      '983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca63511429296727b70a852e1b21384d2c6dfc53380d13' +
      '650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070' +
      '19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc70208' +
      '90befffaa4506cebbef9a3f7c67178f2',
    'hex',
  ),
)

/** The state after one block. */
export function stateAfter(block: Uint8Array): Buffer {
  const state = Buffer.from(FIRST)
  compress(view(state), view(block), 0, newSchedule())
  return state
}

/** The hash of one block, given as the state after it, and what follows. */
export function hashFrom(stateAfterBlock: Uint8Array, rest: Uint8Array): Buffer {
  const state = Buffer.from(stateAfterBlock)
  const schedule = newSchedule()
  const padded = view(pad(rest))
  for (let at = 0; at < padded.byteLength; at += BLOCK) compress(view(state), padded, at, schedule)
  return state
}

/** Closes a message of one block and this rest: a one bit, zeros, and the length of the whole in bits (5.1.1). */
function pad(rest: Uint8Array): Buffer {
  const padded = Buffer.alloc(Math.ceil((rest.length + 9) / BLOCK) * BLOCK)
  padded.set(rest)
  padded[rest.length] = 0x80
  padded.writeBigUInt64BE(BigInt(BLOCK + rest.length) * 8n, padded.length - 8)
  return padded
}

/** Mixes one block into the state (6.2.2) and overwrites `schedule`. Words are read through views, because that runs fast. */
function compress(state: DataView, message: DataView, offset: number, schedule: DataView): void {
  expand(message, offset, schedule)
  let a = state.getInt32(0)
  let b = state.getInt32(4)
  let c = state.getInt32(8)
  let d = state.getInt32(12)
  let e = state.getInt32(16)
  let f = state.getInt32(20)
  let g = state.getInt32(24)
  let h = state.getInt32(28)
  for (let at = 0; at < 256; at += 4) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS.getInt32(at) + schedule.getInt32(at)) | 0
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  add(state, 0, a, b, c, d)
  add(state, 16, e, f, g, h)
}

/** The 64 words that the rounds take from a block. */
function expand(message: DataView, offset: number, schedule: DataView): void {
  for (let at = 0; at < 64; at += 4) schedule.setInt32(at, message.getInt32(offset + at))
  for (let at = 64; at < 256; at += 4) {
    const early = schedule.getInt32(at - 60)
    const late = schedule.getInt32(at - 8)
    const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
    const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
    schedule.setInt32(at, (schedule.getInt32(at - 64) + s0 + schedule.getInt32(at - 28) + s1) | 0)
  }
}

function add(state: DataView, at: number, a: number, b: number, c: number, d: number): void {
  state.setInt32(at, (state.getInt32(at) + a) | 0)
  state.setInt32(at + 4, (state.getInt32(at + 4) + b) | 0)
  state.setInt32(at + 8, (state.getInt32(at + 8) + c) | 0)
  state.setInt32(at + 12, (state.getInt32(at + 12) + d) | 0)
}

function turn(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by))
}

function newSchedule(): DataView {
  return new DataView(new ArrayBuffer(256))
}

function view({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}
