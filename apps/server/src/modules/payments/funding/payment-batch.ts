import { paymentMachine, type PaymentState } from '@kassa/contract/payments/machine.ts'
import type { EventType } from '@kassa/contract/webhooks/events.ts'
import { canMove } from '@kassa/primitives/machine.ts'
import type { Context, NewEvent } from '../../../context.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { adapterOf, listAssets } from '../../blockchains/chains/service.ts'
import { type Counted, type Deposit, fundingDepositsOf, fixCounted, identityOf } from '../../deposits/service.ts'
import { type PaymentPolicy, paymentPolicy } from '../../projects/service.ts'
import type { AssetFacts, Payment } from '../payment/payment.ts'
import { recompute } from './recompute-rules.ts'
import { listTips } from '../payment/store.ts'
import { listSighted } from '../sightings/store.ts'
import { moveFunded } from './store.ts'
import { eventOf, type Tips } from './payment-events.ts'

/** A locked payment in memory: as it was loaded, and as it is now. */
export type BatchPayment = {
  readonly found: Payment
  now: Payment
  /** Oldest first, reverted ones included. */
  deposits: readonly Deposit[]
  isMoved: boolean
  /** Transfers to it that wait to be mined, by `identityOf`; one that becomes a deposit is taken out. */
  readonly sighted: Set<string>
}

/**
 * Locked payments with everything they are computed from. They change in memory for each deposit and are saved once
 * (`saveBatch`), so that whole blocks of deposits cost a handful of statements.
 */
export type PaymentBatch = {
  readonly payments: Map<bigint, BatchPayment>
  readonly policies: Map<number, PaymentPolicy>
  readonly assets: Map<number, AssetFacts>
  /** Events in order; they are numbered when the batch is saved. */
  readonly pendingEvents: { readonly id: bigint; readonly event: NewEvent }[]
  /** What applied deposits count for from now on, where it is not stored yet. */
  readonly counted: Map<bigint, Counted>
}

/** A batch without payments. */
export function emptyBatch(): PaymentBatch {
  return { payments: new Map(), policies: new Map(), assets: new Map(), pendingEvents: [], counted: new Map() }
}

/** Loads locked payments with their deposits and the policies of their projects. */
export async function loadBatch(ctx: Context, payments: readonly Payment[]): Promise<PaymentBatch> {
  const batch = emptyBatch()
  await loadInto(ctx, batch, payments)
  return batch
}

/** Loads further locked payments; those already in the batch stay as they are. */
export async function loadInto(ctx: Context, batch: PaymentBatch, payments: readonly Payment[]): Promise<void> {
  const more = payments.filter(({ id }) => !batch.payments.has(id))
  const deposits = await fundingDepositsOf(
    ctx,
    more.map(({ id }) => id),
  )
  for (const { project, quote } of more) {
    if (!batch.policies.has(project.id)) batch.policies.set(project.id, await paymentPolicy(ctx, project.id))
    if (quote) batch.assets.set(quote.asset.id, quote.asset)
  }
  if (![...deposits.values()].flat().every(({ assetId }) => batch.assets.has(assetId))) {
    for (const asset of await listAssets(ctx)) batch.assets.set(asset.id, asset)
  }
  const sighted = await listSighted(
    ctx,
    more.filter(canBeSighted).map(({ id }) => id),
  )
  for (const payment of more) {
    const own = deposits.get(payment.id) ?? []
    batch.payments.set(payment.id, {
      found: payment,
      now: payment,
      deposits: own,
      isMoved: false,
      sighted: new Set(sighted.get(payment.id)?.map(identityOf)),
    })
  }
}

/**
 * How far the blockchains of the batch's deposits are read; `tip` for this blockchain. It makes no query while all deposits are
 * on this blockchain.
 */
export async function tipsOf(
  ctx: Context,
  batch: PaymentBatch,
  { blockchainId, tip }: { readonly blockchainId: number; readonly tip: number },
): Promise<Tips> {
  const payments = [...batch.payments.values()]
  const isElsewhere = payments.some(({ deposits }) => deposits.some((one) => one.blockchainId !== blockchainId))
  return new Map([...(isElsewhere ? await listTips(ctx) : []), [blockchainId, tip]])
}

/** Replaces deposits of the batch by their stored state. */
export function replaceDeposits(
  batch: PaymentBatch,
  deposits: readonly Deposit[],
  isSame: (before: Deposit, now: Deposit) => boolean,
): void {
  for (const [paymentId, now] of Map.groupBy(deposits, (deposit) => deposit.paymentId)) {
    const one = paymentId === null ? undefined : batch.payments.get(paymentId)
    if (one) one.deposits = one.deposits.map((before) => now.find((each) => isSame(before, each)) ?? before)
  }
}

/** How far each blockchain was read, and whether a reorganisation reverted deposits of the payment. */
export type RecomputeOptions = { readonly tips: Tips; readonly isReopened?: boolean }

/** Recomputes a payment of the batch from its deposits and the clock, and adds the events of the change. */
export function recomputeBatch(
  ctx: Context,
  batch: PaymentBatch,
  id: bigint,
  { tips, isReopened = false }: RecomputeOptions,
): void {
  const one = paymentIn(batch, id)
  const before = one.now
  const { payment, deposits, counted, events } = recompute({
    payment: before,
    deposits: one.deposits,
    policy: policyOf(batch, before),
    assets: batch.assets,
    tips,
    now: ctx.now(),
    isReopened,
    isSighted: one.sighted.size > 0,
  })
  if (payment.status !== before.status && !canMove(paymentMachine, before.status, payment.status)) {
    throw new Error(`Payment ${before.reference} cannot become ${payment.status}`)
  }
  one.now = payment
  one.deposits = deposits
  one.isMoved = true
  for (const each of counted) batch.counted.set(each.id, each)
  for (const type of events) emitBatch(ctx, batch, id, { type, tips, previousStatus: before.status })
}

/** Adds an event about a payment of the batch, as it is now. */
export function emitBatch(
  ctx: Context,
  batch: PaymentBatch,
  id: bigint,
  { type, tips, previousStatus }: { type: EventType; tips: Tips; previousStatus?: PaymentState },
): void {
  const { now, deposits } = paymentIn(batch, id)
  const event = eventOf(ctx, now, type, { deposits, tips, previousStatus: previousStatus ?? now.status })
  batch.pendingEvents.push({ id, event })
}

/**
 * Saves the changed payments of the batch and emits their events, in the open transaction.
 * @throws Error when a payment has changed since it was loaded: it was not locked
 */
export async function saveBatch(ctx: Context, batch: PaymentBatch): Promise<void> {
  await fixCounted(ctx, [...batch.counted.values()])
  const events = Map.groupBy(batch.pendingEvents, ({ id }) => id)
  const changed = [...batch.payments].filter(([id, { isMoved }]) => isMoved || events.has(id))
  const counts = await moveFunded(
    ctx,
    changed.map(([id, { found, now }]) => {
      const pendingEvents = events.get(id) ?? []
      return { found, now, events: pendingEvents.length, isUnresolved: isUnresolved(found, now, pendingEvents) }
    }),
  )
  const next = new Map([...events].map(([id, { length }]) => [id, (counts.get(id) ?? 0) - length]))
  const numbered = batch.pendingEvents.map(({ id, event }) => {
    const sequence = (next.get(id) ?? 0) + 1
    next.set(id, sequence)
    return { ...event, sequence }
  })
  await ctx.events.emitAll(ctx, numbered)
}

/** Whether deposits arrived, were reverted or came too late since an earlier resolution, which then no longer covers them. */
function isUnresolved(found: Payment, now: Payment, pendingEvents: PaymentBatch['pendingEvents']): boolean {
  if (found.seenUnits !== now.seenUnits || found.filledUnits !== now.filledUnits) return true
  if (found.fundingState !== 'reverted' && now.fundingState === 'reverted') return true
  return pendingEvents.some(({ event }) => event.type === 'payment.late_deposit')
}

/** Whether the mempool of the payment's network is read; others have no sightings. */
export function canBeSighted({ quote }: Payment): boolean {
  const family = quote && findBlockchain(quote.asset.blockchainCode)?.family
  return family !== null && family !== undefined && adapterOf(family)?.mempool !== undefined
}

/** The payment of this id in the batch. @throws Error when it was not loaded */
export function paymentIn(batch: PaymentBatch, id: bigint): BatchPayment {
  const one = batch.payments.get(id)
  if (!one) throw new Error(`Payment ${id} is not in the batch`)
  return one
}

function policyOf({ policies }: PaymentBatch, { project }: Payment): PaymentPolicy {
  const policy = policies.get(project.id)
  if (!policy) throw new Error(`The rules of project ${project.id} were not read`)
  return policy
}
