import type { EventType } from '@kassa/contract/webhooks/events.ts'
import type { Deposit } from '../../deposits/service.ts'
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
}

/** A payment as its deposits and the clock make it. */
export type Recomputed = {
  readonly payment: Payment
  readonly deposits: readonly Deposit[]
  /** What deposits that an operator applied count for from now on. */
  readonly counted: readonly { readonly id: bigint; readonly units: bigint }[]
  /** The events of the change, in order. */
  readonly events: readonly EventType[]
}

/** Computes a payment from its deposits and the clock (money.md 3.5); computing it again changes nothing. */
export function recompute({ payment, policy, now, isReopened, ...input }: Recomputation): Recomputed {
  const pinned = isPinned(payment) ? payment : null
  const { deposits, counted } = pinned ? withCounts(pinned, input) : { deposits: input.deposits, counted: [] }
  const facts = pinned ? deposits.map((deposit) => factOf(deposit, pinned, input)) : []
  const hasMoreTime = payment.status !== 'CANCELLED' && (isReopened || isFirstMoney(payment, facts))
  const expiresAt = hasMoreTime ? extended(payment.expiresAt, now) : payment.expiresAt
  const extendsLock = hasMoreTime && pinned !== null && deposits.some(countsAtLockedRate)
  // One hour, not the life of the link: a rate locked for days would be a free option at the merchant's cost (P-4).
  const rateLockedUntil = extendsLock ? extended(payment.rateLockedUntil ?? now, now) : payment.rateLockedUntil
  const funding = fund({ ...payment, expiresAt }, facts, policy, now)
  return {
    payment: { ...payment, ...funding, expiresAt, rateLockedUntil },
    deposits,
    counted,
    events: eventsBetween(payment, funding),
  }
}

type Known = Pick<Recomputation, 'deposits' | 'assets' | 'tips'>

/** A deposit that an operator applied has no counted units yet: they are computed here once, to be stored. */
function withCounts({ quote }: PinnedPayment, { deposits, assets }: Known): Pick<Recomputed, 'deposits' | 'counted'> {
  const isOpen = ({ countedUnits: counted, status }: Deposit) => counted === null && status === 'applied'
  const unitsOf = (deposit: Deposit) => countedUnits(deposit, assets.get(deposit.assetId) ?? quote.asset, quote)
  return {
    deposits: deposits.map((one) => (isOpen(one) ? { ...one, countedUnits: unitsOf(one) } : one)),
    counted: deposits.filter(isOpen).map((one) => ({ id: one.id, units: unitsOf(one) })),
  }
}

function factOf(deposit: Deposit, { quote }: PinnedPayment, { assets, tips }: Known): FundingDeposit {
  const asset = assets.get(deposit.assetId) ?? quote.asset
  return fundingDepositOf(deposit, { asset, quote, tip: tips.get(deposit.blockchainId) })
}

/** Whether this is the payment's first deposit in time: it extends the time for the rest (P-4). */
function isFirstMoney({ seenUnits }: Payment, facts: readonly FundingDeposit[]): boolean {
  return seenUnits === 0n && facts.some(({ state, isLate }) => (state === 'seen' || state === 'final') && !isLate)
}
