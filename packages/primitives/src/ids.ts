/** The time field of a UUIDv7 is 48 bits of Unix milliseconds. */
const MAX_TIME_MS = 2 ** 48 - 1

/**
 * Builds a version 7 UUID from Unix milliseconds and 10 random bytes, of which 74 bits are used (RFC 9562 §5.7).
 * @throws RangeError when the time does not fit 48 bits or there are not exactly 10 bytes
 */
export function uuidv7(nowMs: number, random: Uint8Array): string {
  if (!Number.isInteger(nowMs) || nowMs < 0 || nowMs > MAX_TIME_MS) throw new RangeError('The time must fit 48 bits')
  if (random.length !== 10) throw new RangeError('A UUIDv7 needs exactly 10 random bytes')
  const time = nowMs.toString(16).padStart(12, '0')
  const bits = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const variant = '89ab'.charAt(Number.parseInt(bits.charAt(4), 16) & 3)
  return [time.slice(0, 8), time.slice(8), `7${bits.slice(1, 4)}`, variant + bits.slice(5, 8), bits.slice(8)].join('-')
}
