import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

/** Six random digits. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Hashes a code together with its purpose, so that it is valid for nothing else. */
export function hashCode(key: Buffer, subject: readonly (bigint | number | string)[], code: string): Buffer {
  return createHmac('sha256', key)
    .update([...subject, code].join('\n'))
    .digest()
}

/** Compares two hashes in constant time. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
