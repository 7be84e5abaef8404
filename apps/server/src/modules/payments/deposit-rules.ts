/** What a deposit means to payments: whose it is, what it counts for, and when it is final (money.md 3.4, 1.4). */
import { confirmationsOf } from '@kassa/contract/deposits/confirmations.ts'
import type { PaymentState } from '@kassa/contract/payments/machine.ts'
import type { Confirmations } from '@kassa/primitives/chains/blockchain.ts'
import { type Price, unitsForUsd, type Usd } from '@kassa/primitives/money/rate.ts'

import type { Deposit } from '../deposits/service.ts'
import type { AssetFacts, Payment } from './payment.ts'
import { boundsOf, type Fact, type Tolerances, usdOf } from './rules.ts'

/** Slow blocks are not the payer's fault: this much after the end is still on time (P-3). */
export const SLACK_MS = 10 * 60_000

const HOUR_MS = 3_600_000

/** A transfer that arrived, before it is known whose money it is. */
export type Arrival = {
  readonly asset: AssetFacts
  readonly units: bigint
  readonly blockTime: Date
  /** The project takes this asset. */
  readonly isAccepted: boolean
  /** What it is worth, or null without a price. */
  readonly usd: Usd | null
}

/** Whose money it is, and why it is not plainly so. */
export type Match = {
  readonly paymentId: bigint | null
  readonly reason: 'other_network' | 'price_lapsed' | 'late' | 'wrong_asset' | 'no_price' | 'no_payment' | null
  /** It arrived after the end, and counts. */
  readonly late: boolean
  /** It is what was still missing, to the tolerance: then no minimum applies. */
  readonly isExact: boolean
}

/** A payment that asks for something. */
export type Asking = Payment & { readonly terms: NonNullable<Payment['terms']> }

/** Whether the payer picked what to pay with. */
export function isAsking(payment: Payment): payment is Asking {
  return payment.terms !== null
}

/** Finds the payment a transfer is for (money.md 3.4). `payments` are those of the customer who owns the address. */
export function matchPayment(
  arrival: Arrival,
  payments: readonly Asking[],
  policy: Tolerances & { readonly lateGraceHours: number },
): Match {
  const known = payments.filter(({ createdAt }) => createdAt.getTime() <= arrival.blockTime.getTime() + SLACK_MS)
  const open = known.filter((payment) => isOpen(payment) && isOnTime(payment, arrival.blockTime))
  const same = open.filter(({ terms }) => terms.asset.id === arrival.asset.id)
  if (same.length > 0) return choose(same, arrival, policy, null)
  const elsewhere = open.filter(({ terms }) => terms.asset.currencyCode === arrival.asset.currencyCode)
  if (elsewhere.length > 0 && arrival.isAccepted) return choose(elsewhere, arrival, policy, 'other_network')
  const ended = known.filter(
    ({ status, terms }) => status !== 'FILLED' && status !== 'OVER_FILLED' && terms.asset.id === arrival.asset.id,
  )
  const newest = ended.reduce<Asking | undefined>((best, one) => (best && best.id > one.id ? best : one), undefined)
  if (newest) return afterTheEnd(newest, arrival, policy)
  const [asked, other] = open
  if (!asked) return nobody('no_payment')
  // One that could have meant it is shown with it, so that payer and shop see what happened; it counts for nothing yet.
  return { ...nobody('wrong_asset'), paymentId: other ? null : asked.id }
}

/** The one still missing just this much, the oldest of several; else the one whose amount was shown last. */
function choose(payments: readonly Asking[], arrival: Arrival, policy: Tolerances, reason: Match['reason']): Match {
  const exact = payments
    .filter((payment) => isMissing(payment, arrival, policy))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const [oldest] = exact
  if (oldest) return given(oldest, arrival, { reason, late: false, isExact: true })
  const unpaid = payments.filter(({ seenUnits, terms }) => seenUnits < terms.dueUnits)
  const [latest] = (unpaid.length > 0 ? unpaid : payments).toSorted(
    (a, b) => b.terms.quotedAt.getTime() - a.terms.quotedAt.getTime() || (a.id < b.id ? 1 : -1),
  )
  return latest ? given(latest, arrival, { reason, late: false, isExact: false }) : nobody('no_payment')
}

/** Within the grace it counts, late unless the block was in time; afterwards it is kept for a person to decide. */
function afterTheEnd(payment: Asking, arrival: Arrival, policy: Tolerances & { lateGraceHours: number }): Match {
  const late = !isOnTime(payment, arrival.blockTime)
  const isForgiven = arrival.blockTime.getTime() <= payment.expiresAt.getTime() + policy.lateGraceHours * HOUR_MS
  if (late && !isForgiven) return { paymentId: payment.id, reason: 'late', late: true, isExact: false }
  return given(payment, arrival, { reason: null, late, isExact: isMissing(payment, arrival, policy) })
}

/**
 * The money is for this payment. Where the held price does not cover it any more, volatile money counts for what it is
 * worth: who pays late must not choose between two prices (P-2, P-5).
 */
function given(payment: Asking, arrival: Arrival, match: Omit<Match, 'paymentId'>): Match {
  const isLapsed = !match.late && !isPriceHeld(payment, arrival.blockTime) && !arrival.asset.isStable
  const needsPrice = isLapsed || (match.late && !arrival.asset.isStable)
  if (needsPrice && arrival.usd === null) return nobody('no_price')
  return { ...match, paymentId: payment.id, ...(isLapsed && { reason: 'price_lapsed' as const }) }
}

function nobody(reason: Match['reason']): Match {
  return { paymentId: null, reason, late: false, isExact: false }
}

function isOpen({ status }: { status: PaymentState }): boolean {
  return status === 'OPEN' || status === 'PARTIALLY_FILLED'
}

/** Judged by the block's time, not by when we noticed (P-3). */
export function isOnTime({ expiresAt }: Pick<Payment, 'expiresAt'>, blockTime: Date): boolean {
  return blockTime.getTime() <= expiresAt.getTime() + SLACK_MS
}

/** Likewise by the block's time, with the same slack. */
export function isPriceHeld({ rateLockedUntil }: Pick<Payment, 'rateLockedUntil'>, blockTime: Date): boolean {
  return rateLockedUntil === null || blockTime.getTime() <= rateLockedUntil.getTime() + SLACK_MS
}

function isMissing(payment: Asking, arrival: Arrival, policy: Tolerances): boolean {
  const { least, most } = boundsOf(payment.terms, policy)
  const total = payment.seenUnits + scaled(arrival.units, arrival.asset, payment.terms.asset)
  return total >= least && total <= most
}

/** The deposit as a fact for the payment; money that is not its own at all is none. */
export function factOf(
  deposit: Deposit,
  { asset, terms, tip }: { asset: AssetFacts; terms: Asking['terms']; tip: number | undefined },
): Fact {
  const { txId, leg, late } = deposit
  return {
    transfer: `${deposit.blockchainId}:${txId}:${leg}`,
    state: factState(deposit),
    units: deposit.countedUnits ?? countedUnits(deposit, asset, terms),
    isLate: late,
    isBuried: deposit.status !== 'seen' || (tip !== undefined && tip > deposit.height),
  }
}

/** A deposit the payment is shown but may not count says why in `reason`. */
function factState({ status, reason, countedUnits: counted }: Deposit): Fact['state'] {
  if (status === 'reverted') return 'reverted'
  if (status === 'applied') return 'final'
  if (status === 'seen') return reason !== null && HELD_REASONS.includes(reason) ? 'held' : 'seen'
  // While a person looks at it the payment waits, as for money that is not final.
  if (status === 'quarantined' && counted !== null) return 'seen'
  return 'held'
}

/** Why money on its way counts for nothing, although it is shown with its payment. */
export const HELD_REASONS: readonly string[] = ['late', 'wrong_asset', 'below_minimum']

/** Money that is shown with a payment but waits for a person: after the grace, or of another currency (money.md 3.4). */
export function isKept(reason: string | null): boolean {
  return reason === 'late' || reason === 'wrong_asset'
}

/** Whether the deposit came while the price of its payment was held; what waits for a person says nothing about that. */
export function isAtHeldPrice({ late, reason }: Pick<Deposit, 'late' | 'reason'>): boolean {
  return !late && reason !== 'price_lapsed' && !isKept(reason)
}

/**
 * At the held price units count as they are; otherwise volatile money counts for what it was worth when it came (P-5), and
 * so does another currency that a person accepts: without a worth it counts for nothing.
 */
export function countedUnits(
  deposit: Pick<Deposit, 'units' | 'usdAtSeen' | 'late' | 'reason'>,
  asset: AssetFacts,
  terms: Asking['terms'],
): bigint {
  const isSameCurrency = asset.currencyCode === terms.asset.currencyCode
  if (!isSameCurrency && deposit.usdAtSeen === null) return 0n
  const countsAsIs =
    isSameCurrency && (isAtHeldPrice(deposit) || asset.isStable || hasKeptItsWorth(deposit, asset, terms.price))
  if (countsAsIs || deposit.usdAtSeen === null) return scaled(deposit.units, asset, terms.asset)
  const { price } = terms
  return unitsForUsd({
    usd: usdOf(deposit.usdAtSeen),
    price,
    decimals: terms.asset.decimals,
    step: 1n,
    rounding: 'down',
  })
}

/** A worth is remembered in whole cents: money whose price has not moved must not be short by a part of one. */
function hasKeptItsWorth(
  { units, usdAtSeen: then }: Pick<Deposit, 'units' | 'usdAtSeen'>,
  { decimals }: { decimals: number },
  price: Price,
): boolean {
  return then !== null && usdAtSeen(units, price, decimals)?.usd === usdOf(then)
}

/** The same amount in the decimals of another asset, rounded down. */
function scaled(units: bigint, from: { decimals: number }, to: { decimals: number }): bigint {
  if (from.decimals <= to.decimals) return units * 10n ** BigInt(to.decimals - from.decimals)
  return units / 10n ** BigInt(from.decimals - to.decimals)
}

export type Depth = { readonly confirmationsRequired: number; readonly rule: 'depth' | 'finalized' }

/**
 * When a deposit of this worth is final: the strictest of the chain's rule and the project's (C-1). Without a price the
 * strictest rule of all applies.
 */
export function depthFor(
  usd: Usd | null,
  chain: { readonly minConfirmations: number; readonly confirmations: Confirmations },
  rules: readonly { readonly upToUSD: string; readonly confirmations: number | 'finalized' }[],
): Depth {
  const { largeFromUsd, large } = chain.confirmations
  const isLarge = usd === null || usd >= largeFromUsd
  const byWorth = rules.toSorted((a, b) => (usdOf(a.upToUSD) < usdOf(b.upToUSD) ? -1 : 1))
  const own = usd === null ? byWorth : [byWorth.find(({ upToUSD }) => usd <= usdOf(upToUSD)) ?? byWorth.at(-1)]
  // Where the chain has no word of its own for final, the depth that stands in for it is meant.
  const meant = (depth: number | 'finalized') => (depth === 'finalized' ? large : depth)
  const wanted = [...(isLarge ? [large] : []), ...own.flatMap((rule) => (rule ? [meant(rule.confirmations)] : []))]
  const depths = wanted.filter((depth) => typeof depth === 'number')
  return {
    confirmationsRequired: Math.max(chain.minConfirmations, ...depths),
    rule: wanted.includes('finalized') ? 'finalized' : 'depth',
  }
}

/** States of money that counts, or will. */
const COUNTED: ReadonlySet<Deposit['status']> = new Set(['seen', 'applied'])

/** The confirmations shown for several deposits: those of the least confirmed one that counts (P-10). */
export function leastConfirmed(
  deposits: readonly Deposit[],
  tips: ReadonlyMap<number, number>,
): { current: number; required: number } {
  const counted = deposits
    .filter(
      ({ status, countedUnits: counted }) => COUNTED.has(status) || (status === 'quarantined' && counted !== null),
    )
    .map((deposit) => ({
      current: confirmationsOf(deposit, tips.get(deposit.blockchainId)),
      required: deposit.confirmationsRequired,
    }))
  const missing = ({ current, required }: { current: number; required: number }) => required - current
  return counted.toSorted((a, b) => missing(b) - missing(a))[0] ?? { current: 0, required: 0 }
}

/** What an amount is worth in dollars with two decimals, as the deposit remembers it; null when no column could hold it. */
export function usdAtSeen(units: bigint, price: Price | null, decimals: number): { usd: Usd; text: string } | null {
  if (price === null) return null
  const cents = (units * price) / 10n ** BigInt(decimals + 16)
  if (cents >= 10n ** 18n) return null
  const digits = cents.toString().padStart(3, '0')
  return { usd: cents * 10_000n, text: `${digits.slice(0, -2)}.${digits.slice(-2)}` }
}
