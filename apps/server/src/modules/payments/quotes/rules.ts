import { dueUnits, type Price, type Usd } from '@kassa/primitives/money/rate.ts'
import { MINUTE_MS } from '../funding/funding-rules.ts'

/** How long a rate is locked after the pick: as existing clients expect, and short because it is a free option for the payer (P-2). */
const LOCK_MS = 15 * MINUTE_MS

/** A long-lived link renews its rate whenever it is opened, at most this often, so that no payer picks the best of many rates (P-2). */
export const MOST_QUOTES = 20

/** The amount due at a rate, rounded up to a step, and the end of the rate lock, never past the payment's own end (P-1, P-2). */
export function makeQuote(input: { amountUsd: Usd; price: Price; decimals: number; now: Date; expiresAt: Date }): {
  dueUnits: bigint
  lockedUntil: Date
} {
  const { amountUsd, price, decimals, now, expiresAt } = input
  const lockedUntil = new Date(Math.min(now.getTime() + LOCK_MS, expiresAt.getTime()))
  return { dueUnits: dueUnits({ usd: amountUsd, price, decimals }), lockedUntil }
}
