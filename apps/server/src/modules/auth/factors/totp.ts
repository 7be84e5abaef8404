/** Codes of authenticator apps: TOTP (RFC 6238) with SHA-1, 30 seconds and 6 digits, as every app makes them. */
import { timingSafeEqual } from 'node:crypto'

import type { CodeRefusal } from '@kassa/contract/auth/factor-refusals.ts'
import { generateSync, generateURI, ScureBase32Plugin } from 'otplib'

const STEP_SECONDS = 30

/** One step early or late is accepted (RFC 6238 5.2). */
const WINDOW = 1

/** A clock that is wrong by up to ten minutes is recognised as such. */
const DRIFT = 20

const CODE = /^\d{6}$/

const base32 = new ScureBase32Plugin()

export type TotpCheck = { readonly step: number } | { readonly refused: CodeRefusal }

/** The step of a time. */
function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS)
}

/** Returns the code of a step. */
export function totpCode(secret: Uint8Array, step: number): string {
  return generateSync({ secret, epoch: step * STEP_SECONDS, period: STEP_SECONDS, digits: 6, algorithm: 'sha1' })
}

/**
 * Returns the step a code belongs to, if newer than the last one used, or why the code is refused. `isOwner` says that the
 * caller has just been shown the secret; for others a future code is simply wrong, because to confirm it would reveal a code
 * that is going to be valid.
 */
export function checkTotp(
  secret: Uint8Array,
  typed: string,
  { now, lastStep, isOwner }: { readonly now: Date; readonly lastStep: number; readonly isOwner: boolean },
): TotpCheck {
  const code = typed.replace(/\s/g, '')
  const current = stepAt(now)
  const unknown = { refused: { code: 'unknown', params: {} } } as const
  if (!CODE.test(code)) return unknown
  const offset = offsetsBySize(isOwner ? DRIFT : WINDOW).find((by) => isEqual(code, totpCode(secret, current + by)))
  if (offset === undefined) return unknown
  const step = current + offset
  if (Math.abs(offset) <= WINDOW) {
    return step > lastStep ? { step } : { refused: { code: 'used', params: {} } }
  }
  const minutes = Math.round((Math.abs(offset) * STEP_SECONDS) / 60)
  return { refused: { code: offset < 0 ? 'clock_behind' : 'clock_ahead', params: { minutes } } }
}

/** 0, −1, 1, −2, …: past codes as far as a clock may be wrong, future codes as far as the caller may learn of them. */
function offsetsBySize(ahead: number): number[] {
  return Array.from({ length: DRIFT + 1 }, (_, by) => (by === 0 ? [0] : by <= ahead ? [-by, by] : [-by])).flat()
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

/** The secret as people type it into an app. */
export function secretText(secret: Uint8Array): string {
  return base32.encode(secret, { padding: false })
}

/** What an app reads from the picture. */
export function otpauthUri(secret: Uint8Array, email: string): string {
  return generateURI({ issuer: 'Kassa', label: email, secret: secretText(secret) })
}
