import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

/** Six random digits. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Hashes a code together with what it is for: it is right for that alone. */
export function hashCode(key: Buffer, subject: readonly (bigint | number | string)[], code: string): Buffer {
  return createHmac('sha256', key)
    .update([...subject, code].join('\n'))
    .digest()
}

/** Whether two hashes are the same, in a time that says nothing about where they differ. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
