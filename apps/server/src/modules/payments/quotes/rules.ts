import { dueUnits, type Price, type Usd } from '@kassa/primitives/money/rate.ts'
import { MINUTE_MS } from '../funding/funding-rules.ts'

/** How long a price is held from the pick: what existing clients expect, and it bounds the payer's free option (P-2). */
const LOCK_MS = 15 * MINUTE_MS

/** A link meant for e-mail renews its price each time it is opened, so often at most (P-2). */
export const MOST_QUOTES = 20

/** What is due at a price, and until when it holds: never past the payment's own end (P-1, P-2). */
export function makeQuote(input: { amountUsd: Usd; price: Price; decimals: number; now: Date; expiresAt: Date }): {
  dueUnits: bigint
  lockedUntil: Date
} {
  const { amountUsd, price, decimals, now, expiresAt } = input
  const lockedUntil = new Date(Math.min(now.getTime() + LOCK_MS, expiresAt.getTime()))
  return { dueUnits: dueUnits({ usd: amountUsd, price, decimals }), lockedUntil }
}
