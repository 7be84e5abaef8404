import { paymentMachine, type PaymentState } from '@kassa/contract/payments/machine.ts'
import type { EventType } from '@kassa/contract/webhooks/events.ts'
import { canMove } from '@kassa/primitives/machine.ts'
import type { Context, NewEvent } from '../../../context.ts'
import { listAssets } from '../../blockchains/chains/service.ts'
import { type Deposit, depositsOfPayments, fixCounted } from '../../deposits/service.ts'
import { type PaymentPolicy, paymentPolicy } from '../../projects/service.ts'
import { type PinnedPayment, countedUnits, fundingDepositOf, isPinned, countsAtLockedRate } from './deposit-rules.ts'
import type { AssetFacts, Payment } from '../payment/payment.ts'
import { extended, eventsBetween, type FundingDeposit, fund } from './funding-rules.ts'
import { moveFunded } from './store.ts'
import { eventOf, type Tips } from './payment-events.ts'

/** A locked payment in memory: as it was found, and what became of it since. */
export type HeldPayment = {
  readonly found: Payment
  now: Payment
  /** Oldest first, those taken back included. */
  deposits: readonly Deposit[]
  isMoved: boolean
}

/**
 * Payments whose lock is held, with all they are computed from. They change in memory, as often as there are facts, and are
 * written once (`saveBatch`): whole blocks of deposits cost a handful of statements.
 */
export type PaymentBatch = {
  readonly payments: Map<bigint, HeldPayment>
  readonly policies: Map<number, PaymentPolicy>
  readonly assets: Map<number, AssetFacts>
  /** What happened, in order; numbered when it is written. */
  readonly told: { readonly id: bigint; readonly event: NewEvent }[]
  /** What money that a person moved counts for from now on. */
  readonly counted: { readonly id: bigint; readonly units: bigint }[]
}

/** Nothing held yet. */
export function emptyBatch(): PaymentBatch {
  return { payments: new Map(), policies: new Map(), assets: new Map(), told: [], counted: [] }
}

/** Takes locked payments into memory, with their deposits and the rules of their projects. */
export async function loadBatch(ctx: Context, payments: readonly Payment[]): Promise<PaymentBatch> {
  const held = emptyBatch()
  await loadInto(ctx, held, payments)
  return held
}

/** Takes further locked payments into memory; those that are held already stay as they are. */
export async function loadInto(ctx: Context, held: PaymentBatch, payments: readonly Payment[]): Promise<void> {
  const more = payments.filter(({ id }) => !held.payments.has(id))
  const deposits = await depositsOfPayments(
    ctx,
    more.map(({ id }) => id),
  )
  for (const { project, terms } of more) {
    if (!held.policies.has(project.id)) held.policies.set(project.id, await paymentPolicy(ctx, project.id))
    if (terms) held.assets.set(terms.asset.id, terms.asset)
  }
  if (![...deposits.values()].flat().every(({ assetId }) => held.assets.has(assetId))) {
    for (const asset of await listAssets(ctx)) held.assets.set(asset.id, asset)
  }
  for (const payment of more) {
    const own = deposits.get(payment.id) ?? []
    held.payments.set(payment.id, { found: payment, now: payment, deposits: own, isMoved: false })
  }
}

/** Puts deposits as they stand in the database now in place of what was held of them. */
export function replaceDeposits(
  held: PaymentBatch,
  deposits: readonly Deposit[],
  isSame: (before: Deposit, now: Deposit) => boolean,
): void {
  for (const [paymentId, now] of Map.groupBy(deposits, (deposit) => deposit.paymentId)) {
    const one = paymentId === null ? undefined : held.payments.get(paymentId)
    if (one) one.deposits = one.deposits.map((before) => now.find((each) => isSame(before, each)) ?? before)
  }
}

export type Recomputation = {
  /** How far each blockchain was read. */
  readonly tips: Tips
  /** A reorganisation took money back: the payer gets time again (money.md 3.5, row 16). */
  readonly isReopened?: boolean
}

/** Makes a held payment what its deposits and the clock say it is, and tells what changed. */
export function recomputeBatch(
  ctx: Context,
  held: PaymentBatch,
  id: bigint,
  { tips, isReopened = false }: Recomputation,
): void {
  const one = heldPayment(held, id)
  const now = ctx.now()
  const before = one.now
  const facts = isPinned(before) ? factsOf(held, one, before, tips) : []
  const hasMoreTime = before.status !== 'CANCELLED' && (isReopened || isFirstMoney(before, facts))
  const expiresAt = hasMoreTime ? extended(before.expiresAt, now) : before.expiresAt
  const holdsPrice = hasMoreTime && before.terms !== null && one.deposits.some(countsAtLockedRate)
  // Its own hour, not the life of the link: a price held for days would be an option that somebody else pays for (P-4).
  const rateLockedUntil = holdsPrice ? extended(before.rateLockedUntil ?? now, now) : before.rateLockedUntil
  const funding = fund({ ...before, expiresAt }, facts, policyOf(held, before), now)
  if (funding.status !== before.status && !canMove(paymentMachine, before.status, funding.status)) {
    throw new Error(`Payment ${before.reference} cannot become ${funding.status}`)
  }
  one.now = { ...before, ...funding, expiresAt, rateLockedUntil }
  one.isMoved = true
  for (const type of eventsBetween(before, funding)) {
    emitBatch(ctx, held, id, { type, tips, previousStatus: before.status })
  }
}

/** Tells that something happened to a held payment, as it is now. */
export function emitBatch(
  ctx: Context,
  held: PaymentBatch,
  id: bigint,
  { type, tips, previousStatus }: { type: EventType; tips: Tips; previousStatus?: PaymentState },
): void {
  const { now, deposits } = heldPayment(held, id)
  const event = eventOf(ctx, now, type, { deposits, tips, previousStatus: previousStatus ?? now.status })
  held.told.push({ id, event })
}

/**
 * Writes what became of held payments, and what happened to them, in the open transaction.
 * @throws Error when one of them is not what it was when it was found: its lock was not held
 */
export async function saveBatch(ctx: Context, held: PaymentBatch): Promise<void> {
  await fixCounted(ctx, held.counted)
  const events = Map.groupBy(held.told, ({ id }) => id)
  const changed = [...held.payments].filter(([id, { isMoved }]) => isMoved || events.has(id))
  const counts = await moveFunded(
    ctx,
    changed.map(([id, { found, now }]) => {
      const told = events.get(id) ?? []
      return { found, now, events: told.length, isUnsettled: isUnsettled(found, now, told) }
    }),
  )
  const next = new Map([...events].map(([id, { length }]) => [id, (counts.get(id) ?? 0) - length]))
  const numbered = held.told.map(({ id, event }) => {
    const sequence = (next.get(id) ?? 0) + 1
    next.set(id, sequence)
    return { ...event, sequence }
  })
  await ctx.events.emitAll(ctx, numbered)
}

/** Money came, was taken back, or was kept because it was late: nobody has settled that yet. */
function isUnsettled(found: Payment, now: Payment, told: PaymentBatch['told']): boolean {
  if (found.seenUnits !== now.seenUnits || found.filledUnits !== now.filledUnits) return true
  if (found.fundingState !== 'reverted' && now.fundingState === 'reverted') return true
  return told.some(({ event }) => event.type === 'payment.late_deposit')
}

/** The held payment of this id. @throws Error when it is not held */
export function heldPayment(held: PaymentBatch, id: bigint): HeldPayment {
  const one = held.payments.get(id)
  if (!one) throw new Error(`Payment ${id} is not held`)
  return one
}

function policyOf({ policies }: PaymentBatch, { project }: Payment): PaymentPolicy {
  const policy = policies.get(project.id)
  if (!policy) throw new Error(`The rules of project ${project.id} were not read`)
  return policy
}

/** Money that a person gave to the payment has no count yet: it gets one here, and keeps it. */
function factsOf(held: PaymentBatch, one: HeldPayment, { terms }: PinnedPayment, tips: Tips): FundingDeposit[] {
  const assetOf = ({ assetId }: Deposit) => held.assets.get(assetId) ?? terms.asset
  one.deposits = one.deposits.map((deposit) => {
    if (deposit.countedUnits !== null || deposit.status !== 'applied') return deposit
    const units = countedUnits(deposit, assetOf(deposit), terms)
    held.counted.push({ id: deposit.id, units })
    return { ...deposit, countedUnits: units }
  })
  return one.deposits.map((deposit) =>
    fundingDepositOf(deposit, { asset: assetOf(deposit), terms, tip: tips.get(deposit.blockchainId) }),
  )
}

/** Money in time that is the first of this payment: from now on the rest may follow (P-4). */
function isFirstMoney({ seenUnits }: Payment, facts: readonly FundingDeposit[]): boolean {
  return seenUnits === 0n && facts.some(({ state, isLate }) => (state === 'seen' || state === 'final') && !isLate)
}
