/** What a deposit means to payments: whose it is, what it counts for, and when it is final (money.md 3.4, 1.4). */
import { confirmationsOf } from '@kassa/contract/deposits/confirmations.ts'
import { type Price, unitsForUsd, type Usd } from '@kassa/primitives/money/rate.ts'
import type { Deposit } from '../../deposits/service.ts'
import type { AssetFacts, Payment } from '../payment/payment.ts'
import type { FundingDeposit } from './funding-rules.ts'
import { usdOf } from '../../../../../../packages/primitives/src/money/usd.ts'

/** Slow blocks are not the payer's fault: this much after the end is still on time (P-3). */
export const SLACK_MS = 10 * 60_000

export const HOUR_MS = 3_600_000

/** A payment that asks for something. */
export type PinnedPayment = Payment & { readonly terms: NonNullable<Payment['terms']> }

/** Whether the payer picked what to pay with. */
export function isPinned(payment: Payment): payment is PinnedPayment {
  return payment.terms !== null
}

/** Judged by the block's time, not by when we noticed (P-3). */
export function isOnTime({ expiresAt }: Pick<Payment, 'expiresAt'>, blockTime: Date): boolean {
  return blockTime.getTime() <= expiresAt.getTime() + SLACK_MS
}

/** Likewise by the block's time, with the same slack. */
export function isRateLocked({ rateLockedUntil }: Pick<Payment, 'rateLockedUntil'>, blockTime: Date): boolean {
  return rateLockedUntil === null || blockTime.getTime() <= rateLockedUntil.getTime() + SLACK_MS
}

/** The deposit as a fact for the payment; money that is not its own at all is none. */
export function fundingDepositOf(
  deposit: Deposit,
  { asset, terms, tip }: { asset: AssetFacts; terms: PinnedPayment['terms']; tip: number | undefined },
): FundingDeposit {
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
function factState({ status, reason, countedUnits: counted }: Deposit): FundingDeposit['state'] {
  if (status === 'reverted') return 'reverted'
  if (status === 'applied') return 'final'
  if (status === 'seen' || status === 'confirmed')
    return reason !== null && QUARANTINE_REASONS.includes(reason) ? 'held' : 'seen'
  // While a person looks at it the payment waits, as for money that is not final.
  if (status === 'quarantined' && counted !== null) return 'seen'
  return 'held'
}

/** Why money on its way counts for nothing, although it is shown with its payment. */
export const QUARANTINE_REASONS: readonly string[] = ['late', 'wrong_asset', 'below_minimum']

/** Money that is shown with a payment but waits for a person: after the grace, or of another currency (money.md 3.4). */
export function isUnapplied(reason: string | null): boolean {
  return reason === 'late' || reason === 'wrong_asset'
}

/** Whether the deposit came while the price of its payment was held; what waits for a person says nothing about that. */
export function countsAtLockedRate({ late, reason }: Pick<Deposit, 'late' | 'reason'>): boolean {
  return !late && reason !== 'price_lapsed' && !isUnapplied(reason)
}

/**
 * At the held price units count as they are; otherwise volatile money counts for what it was worth when it came (P-5), and
 * so does another currency that a person accepts: without a worth it counts for nothing.
 */
export function countedUnits(
  deposit: Pick<Deposit, 'units' | 'usdAtSeen' | 'late' | 'reason'>,
  asset: AssetFacts,
  terms: PinnedPayment['terms'],
): bigint {
  const isSameCurrency = asset.currencyCode === terms.asset.currencyCode
  if (!isSameCurrency && deposit.usdAtSeen === null) return 0n
  const countsAsIs =
    isSameCurrency && (countsAtLockedRate(deposit) || asset.isStable || hasKeptItsWorth(deposit, asset, terms.price))
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
export function scaled(units: bigint, from: { decimals: number }, to: { decimals: number }): bigint {
  if (from.decimals <= to.decimals) return units * 10n ** BigInt(to.decimals - from.decimals)
  return units / 10n ** BigInt(from.decimals - to.decimals)
}

export type Depth = { readonly confirmationsRequired: number; readonly rule: 'depth' | 'finalized' }

/** States of money that counts, or will. */
const COUNTED: ReadonlySet<Deposit['status']> = new Set(['seen', 'confirmed', 'applied'])

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
