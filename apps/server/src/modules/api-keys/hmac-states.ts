import { BLOCK, hashFrom, STATE, stateAfter } from './sha256-states.ts'

/** What HMAC mixes into its key, for the inner and for the outer hash (RFC 2104 §2). */
const INNER = 0x36
const OUTER = 0x5c

/**
 * The two one-way states from which HMAC-SHA256 with this key can be made, and the key cannot (RFC 2104 §4): 64 bytes.
 * A key is padded to a block; a longer one would be hashed first, ours are shorter.
 * @throws RangeError for a key longer than a block
 */
export function hmacStates(key: string): Buffer {
  const bytes = Buffer.from(key)
  if (bytes.length > BLOCK) throw new RangeError('A key longer than a block cannot be stored as two states')
  const padded = (pad: number) => Uint8Array.from({ length: BLOCK }, (_, at) => (bytes[at] ?? 0) ^ pad)
  return Buffer.concat([stateAfter(padded(INNER)), stateAfter(padded(OUTER))])
}

/** HMAC-SHA256 of a message with the key behind two states. */
export function hmacFrom(states: Buffer, message: Uint8Array): Buffer {
  return hashFrom(states.subarray(STATE), hashFrom(states.subarray(0, STATE), message))
}
