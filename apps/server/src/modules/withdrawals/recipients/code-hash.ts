import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

/** Six random digits. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

export type CodeSubject = {
  readonly codeId: bigint
  readonly recipientId: number
  readonly blockchainId: number
  readonly address: string
}

/** Hashes a code together with what it verifies: it is right for that recipient and address alone. */
export function hashCode(
  key: Buffer,
  { codeId, recipientId, blockchainId, address }: CodeSubject,
  code: string,
): Buffer {
  return createHmac('sha256', key).update([codeId, recipientId, blockchainId, address, code].join('\n')).digest()
}

/** Whether two hashes are the same, in a time that says nothing about where they differ. */
export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
