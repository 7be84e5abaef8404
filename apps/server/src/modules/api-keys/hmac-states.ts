import { BLOCK, hashFrom, STATE, stateAfter } from './sha256-states.ts'

/** The constants that HMAC combines with its key, for the inner and for the outer hash (RFC 2104 §2). */
const INNER = 0x36
const OUTER = 0x5c

/**
 * Returns the two one-way states from which HMAC-SHA256 with this key can be computed, but not the key (RFC 2104 §4): 64 bytes.
 * The key is padded to a block; a longer key would be hashed first, but ours are shorter.
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
