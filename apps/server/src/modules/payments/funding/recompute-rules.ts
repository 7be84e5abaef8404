import type { EventType } from '@kassa/contract/webhooks/events.ts'
import { usdForUnits } from '@kassa/primitives/money/rate.ts'
import type { Counted, Deposit } from '../../deposits/service.ts'
import type { AssetFacts, Payment } from '../payment/payment.ts'
import { countedUnits, countsAtLockedRate, fundingDepositOf, isPinned, type PinnedPayment } from './deposit-rules.ts'
import { eventsBetween, extended, fund, type FundingDeposit, type Tolerances } from './funding-rules.ts'

/** What a payment is computed from. */
export type Recomputation = {
  readonly payment: Payment
  /** Oldest first, reverted ones included. */
  readonly deposits: readonly Deposit[]
  readonly policy: Tolerances
  readonly assets: ReadonlyMap<number, AssetFacts>
  /** How far each blockchain was read. */
  readonly tips: ReadonlyMap<number, number>
  readonly now: Date
  /** A reorganisation reverted deposits: the payer gets time again (money.md 3.5, row 16). */
  readonly isReopened: boolean
  /** A transfer to it waits to be mined. */
  readonly isSighted?: boolean
}

/** A payment as its deposits and the clock make it. */
export type Recomputed = {
  readonly payment: Payment
  readonly deposits: readonly Deposit[]
  /** What applied deposits count for from now on, where it is not what was stored. */
  readonly counted: readonly Counted[]
  /** The events of the change, in order. */
  readonly events: readonly EventType[]
}

/** Computes a payment from its deposits and the clock (money.md 3.5); computing it again changes nothing. */
export function recompute({ payment, policy, now, isReopened, isSighted, ...input }: Recomputation): Recomputed {
  const pinned = isPinned(payment) ? payment : null
  const { deposits, counted } = pinned ? withCounts(pinned, input) : { deposits: input.deposits, counted: [] }
  const facts = pinned ? deposits.map((deposit) => factOf(deposit, pinned, input)) : []
  const hasMoreTime = payment.status !== 'CANCELLED' && (isReopened || isFirstMoney(payment, facts))
  const expiresAt = hasMoreTime ? extended(payment.expiresAt, now) : payment.expiresAt
  const extendsLock = hasMoreTime && pinned !== null && deposits.some(countsAtLockedRate)
  // One hour, not the life of the link: a rate locked for days would be a free option at the merchant's cost (P-4).
  const rateLockedUntil = extendsLock ? extended(payment.rateLockedUntil ?? now, now) : payment.rateLockedUntil
  const funding = fund({ ...payment, expiresAt }, facts, policy, now, isSighted)
  return {
    payment: { ...payment, ...funding, expiresAt, rateLockedUntil },
    deposits,
    counted,
    events: eventsBetween(payment, funding),
  }
}

type Known = Pick<Recomputation, 'deposits' | 'assets' | 'tips'>

/**
 * Applied deposits with what they count for. One that an operator applied has no counted units yet: they are computed here
 * once. Its dollars are the difference it makes to the payment's value, deposits taken in order of id, so that all of them
 * add up to the filled amount, whatever is rounded.
 */
function withCounts({ quote }: PinnedPayment, { deposits, assets }: Known): Pick<Recomputed, 'deposits' | 'counted'> {
  const { price, asset } = quote
  const counted: Counted[] = []
  const sum = { units: 0n, usd: 0n }
  const now = deposits.map((deposit) => {
    if (deposit.status !== 'applied') return deposit
    const units = deposit.countedUnits ?? countedUnits(deposit, assets.get(deposit.assetId) ?? asset, quote)
    sum.units += units
    const total = usdForUnits({ units: sum.units, price, decimals: asset.decimals, rounding: 'half-even' })
    const usd = total - sum.usd
    sum.usd = total
    if (deposit.countedUnits === units && deposit.countedUsd === usd) return deposit
    counted.push({ id: deposit.id, units, usd })
    return { ...deposit, countedUnits: units, countedUsd: usd }
  })
  return { deposits: now, counted }
}

function factOf(deposit: Deposit, { quote }: PinnedPayment, { assets, tips }: Known): FundingDeposit {
  const asset = assets.get(deposit.assetId) ?? quote.asset
  return fundingDepositOf(deposit, { asset, quote, tip: tips.get(deposit.blockchainId) })
}

/** Whether this is the payment's first deposit in time: it extends the time for the rest (P-4). */
function isFirstMoney({ seenUnits }: Payment, facts: readonly FundingDeposit[]): boolean {
  return seenUnits === 0n && facts.some(({ state, isLate }) => (state === 'seen' || state === 'final') && !isLate)
}
