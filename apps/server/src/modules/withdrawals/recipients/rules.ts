import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

import { payableFrom } from '../policy/service.ts'
import type { Place } from './tables.ts'

/** Codes work this long after their mail (api.md D18). */
export const CODE_MS = 10 * 60_000

/** With six digits, five tries find a code once in 200,000 times. */
export const MOST_TRIES = 5

/** Mails per recipient in ten minutes (api.md 1.7, class `otp`). */
export const SENDS = { most: 3, withinMs: 10 * 60_000 } as const

/** Mails to one person in an hour: a stolen API key cannot flood whoever made it. */
export const SENDS_TO_PERSON = { most: 20, withinMs: 3_600_000 } as const

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

export function isSameHash(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Seconds until one more may be sent; null when one may be sent now. `times` are those of the last window, oldest first. */
export function waitForSend(
  times: readonly Date[],
  { most, withinMs }: { readonly most: number; readonly withinMs: number },
  now: Date,
): number | null {
  const blocking = times.at(-most)
  if (blocking === undefined) return null
  return Math.max(1, Math.ceil((blocking.getTime() + withinMs - now.getTime()) / 1000))
}

/** From when a recipient can be paid in all of these projects; null while one of them does not know its address yet. */
export function payableFromIn(places: readonly Pick<Place, 'knownSince' | 'delayHours'>[]): Date | null {
  let latest: Date | null = null
  for (const { knownSince, delayHours } of places) {
    if (knownSince === null) return null
    const time = payableFrom(new Date(knownSince), delayHours)
    if (latest === null || time > latest) latest = time
  }
  return latest
}
