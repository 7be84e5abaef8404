/** Rules of a deposit for payments: which payment it belongs to, what it counts for, when it is final (money.md 3.4, 1.4). */
import type { DepositReason } from '@kassa/contract/deposits/reasons.ts'
import { confirmationsOf } from '@kassa/contract/deposits/confirmations.ts'
import { type Price, unitsForUsd, type Usd } from '@kassa/primitives/money/rate.ts'
import type { Deposit } from '../../deposits/service.ts'
import type { AssetFacts, Payment } from '../payment/payment.ts'
import type { FundingDeposit } from './funding-rules.ts'
import { usdOf } from '@kassa/primitives/money/usd.ts'

/** A transfer is still on time this long after the end, because slow blocks are not the payer's fault (P-3). */
export const SLACK_MS = 10 * 60_000

export const HOUR_MS = 3_600_000

/** A payment with a quote: the payer picked asset and network. */
export type PinnedPayment = Payment & { readonly quote: NonNullable<Payment['quote']> }

/** Whether the payer picked what to pay with. */
export function isPinned(payment: Payment): payment is PinnedPayment {
  return payment.quote !== null
}

/** Uses the block's time, not the time we saw it, so that our delay costs the payer nothing (P-3). */
export function isOnTime({ expiresAt }: Pick<Payment, 'expiresAt'>, blockTime: Date): boolean {
  return blockTime.getTime() <= expiresAt.getTime() + SLACK_MS
}

/** Uses the block's time too, with the same slack. */
export function isRateLocked({ rateLockedUntil }: Pick<Payment, 'rateLockedUntil'>, blockTime: Date): boolean {
  return rateLockedUntil === null || blockTime.getTime() <= rateLockedUntil.getTime() + SLACK_MS
}

/**
 * Until when a payment is asked for at its rate: to the end of the lock, and to the end of the payment once money of a stable
 * asset came, which keeps its rate (P-5).
 */
export function payableUntil({
  quote,
  seenUnits,
  rateLockedUntil,
  expiresAt,
}: Pick<Payment, 'quote' | 'seenUnits' | 'rateLockedUntil' | 'expiresAt'>): Date | null {
  const holdsRate = quote?.asset.isStable === true && seenUnits > 0n
  if (rateLockedUntil === null || !holdsRate || rateLockedUntil >= expiresAt) return rateLockedUntil
  return expiresAt
}

/** The deposit as funding sees it. */
export function fundingDepositOf(
  deposit: Deposit,
  { asset, quote, tip }: { asset: AssetFacts; quote: PinnedPayment['quote']; tip: number | undefined },
): FundingDeposit {
  const { txId, leg, late } = deposit
  return {
    transfer: `${deposit.blockchainId}:${txId}:${leg}`,
    state: factState(deposit),
    units: deposit.countedUnits ?? countedUnits(deposit, asset, quote),
    isLate: late,
    isBuried: deposit.status !== 'seen' || (tip !== undefined && tip > deposit.height),
  }
}

/** The state of a deposit for funding; `reason` says why a shown deposit does not count. */
function factState({ status, reason, countedUnits: counted }: Deposit): FundingDeposit['state'] {
  if (status === 'reverted') return 'reverted'
  if (status === 'applied') return 'final'
  if (status === 'seen') return reason !== null && UNCOUNTED_REASONS.includes(reason) ? 'held' : 'seen'
  // While an operator reviews it the payment waits, as for a deposit that is not final.
  if (status === 'quarantined' && counted !== null) return 'seen'
  return 'held'
}

/** Why a seen deposit does not count, although it is shown with its payment. */
export const UNCOUNTED_REASONS: readonly DepositReason[] = ['late', 'wrong_asset', 'below_minimum']

/** Whether a deposit is shown with a payment but waits for an operator: late, or of another currency (money.md 3.4). */
export function isUnapplied(reason: DepositReason | null): boolean {
  return reason === 'late' || reason === 'wrong_asset'
}

/** Whether the deposit arrived while the rate was locked; an unapplied deposit does not decide that. */
export function countsAtLockedRate({ late, reason }: Pick<Deposit, 'late' | 'reason'>): boolean {
  return !late && reason !== 'price_lapsed' && !isUnapplied(reason)
}

/**
 * At the locked rate units count as they are; otherwise a volatile asset counts at its value when received (P-5), and so
 * does another currency that an operator accepts: without a value it counts for nothing.
 */
export function countedUnits(
  deposit: Pick<Deposit, 'units' | 'usdAtSeen' | 'late' | 'reason'>,
  asset: AssetFacts,
  quote: PinnedPayment['quote'],
): bigint {
  const isSameCurrency = asset.currencyCode === quote.asset.currencyCode
  if (!isSameCurrency && deposit.usdAtSeen === null) return 0n
  const countsAsIs =
    isSameCurrency && (countsAtLockedRate(deposit) || asset.isStable || hasSameValue(deposit, asset, quote.price))
  if (countsAsIs || deposit.usdAtSeen === null) return scaled(deposit.units, asset, quote.asset)
  const { price } = quote
  return unitsForUsd({
    usd: usdOf(deposit.usdAtSeen),
    price,
    decimals: quote.asset.decimals,
    step: 1n,
    rounding: 'down',
  })
}

/** Stored values are whole cents: a deposit whose price has not moved must not be short by a fraction of a cent. */
function hasSameValue(
  { units, usdAtSeen: then }: Pick<Deposit, 'units' | 'usdAtSeen'>,
  { decimals }: { decimals: number },
  price: Price,
): boolean {
  return then !== null && usdAtSeen(units, price, decimals)?.usd === usdOf(then)
}

/** Converts an amount to the decimals of another asset, rounded down. */
export function scaled(units: bigint, from: { decimals: number }, to: { decimals: number }): bigint {
  if (from.decimals <= to.decimals) return units * 10n ** BigInt(to.decimals - from.decimals)
  return units / 10n ** BigInt(from.decimals - to.decimals)
}

export type Depth = { readonly confirmationsRequired: number; readonly rule: 'depth' | 'finalized' }

/** States of deposits that count, or will. */
const COUNTED: ReadonlySet<Deposit['status']> = new Set(['seen', 'applied'])

/**
 * The confirmations to show for several deposits: those of the least confirmed one that counts, because it decides when all are
 * final (P-10).
 */
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

/** The value of an amount in dollars with two decimals, as the deposit stores it; null when it exceeds the column. */
export function usdAtSeen(units: bigint, price: Price | null, decimals: number): { usd: Usd; text: string } | null {
  if (price === null) return null
  const cents = (units * price) / 10n ** BigInt(decimals + 16)
  if (cents >= 10n ** 18n) return null
  const digits = cents.toString().padStart(3, '0')
  return { usd: cents * 10_000n, text: `${digits.slice(0, -2)}.${digits.slice(-2)}` }
}
