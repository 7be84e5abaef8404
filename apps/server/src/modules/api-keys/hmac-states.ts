import { _SHA256 } from '@noble/hashes/sha2.js'

/** A SHA-256 block, to which HMAC pads its key (RFC 2104 §2); longer keys would be hashed first, ours are shorter. */
const BLOCK = 64
const WORDS = 8
const INNER = 0x36
const OUTER = 0x5c

/** SHA-256 that can be put down after whole blocks and taken up again. */
class ResumableSha256 extends _SHA256 {
  /** The state after one block. */
  static after(block: Uint8Array): Buffer {
    const hash = new ResumableSha256()
    hash.update(block)
    const state = Buffer.alloc(WORDS * 4)
    for (const [at, word] of hash.get().entries()) state.writeInt32BE(word, at * 4)
    hash.destroy()
    return state
  }

  /** The hash of one block, given as the state after it, and what follows. */
  static digestFrom(state: Buffer, rest: Uint8Array): Uint8Array {
    const hash = new ResumableSha256()
    const word = (at: number) => state.readInt32BE(at * 4)
    hash.set(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7))
    hash.length = BLOCK
    return hash.update(rest).digest()
  }
}

/**
 * The two one-way states from which HMAC-SHA256 with this key can be made, and the key cannot (RFC 2104 §4): 64 bytes.
 * @throws RangeError for a key longer than a block
 */
export function hmacStates(key: string): Buffer {
  const bytes = Buffer.from(key)
  if (bytes.length > BLOCK) throw new RangeError('A key longer than a block cannot be stored as two states')
  const padded = (pad: number) => Uint8Array.from({ length: BLOCK }, (_, at) => (bytes[at] ?? 0) ^ pad)
  return Buffer.concat([ResumableSha256.after(padded(INNER)), ResumableSha256.after(padded(OUTER))])
}

/** HMAC-SHA256 of a message with the key behind two states. */
export function hmacFrom(states: Buffer, message: Uint8Array): Buffer {
  const inner = ResumableSha256.digestFrom(states.subarray(0, WORDS * 4), message)
  return Buffer.from(ResumableSha256.digestFrom(states.subarray(WORDS * 4), inner))
}
