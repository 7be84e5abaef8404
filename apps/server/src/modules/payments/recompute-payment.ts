import { confirmationsOf } from '@kassa/contract/deposits/confirmations.ts'

import type { Context } from '../../context.ts'
import { getAsset } from '../blockchains/service.ts'
import { type Deposit, depositsOfPayment } from '../deposits/service.ts'
import { paymentPolicy } from '../projects/service.ts'
import { type Asking, factOf, isAtHeldPrice } from './deposit-rules.ts'
import type { AssetFacts, Payment } from './payment.ts'
import { extended } from './quote-rules.ts'
import { listTips } from './read-store.ts'
import { eventsBetween, type Fact, fund } from './rules.ts'
import { moveFunded } from './store.ts'
import { tellEvent, type Tips } from './tell-event.ts'

export type Recomputation = {
  readonly tips?: Tips
  /** A reorganisation took money back: the payer gets time again (money.md 3.5, row 16). */
  readonly isReopened?: boolean
}

/**
 * Makes a payment what its deposits and the clock say it is, and tells what changed. The caller holds the payment's lock;
 * doing it again changes nothing.
 */
export async function recomputePayment(
  ctx: Context,
  payment: Payment,
  { tips, isReopened = false }: Recomputation = {},
): Promise<Payment> {
  const now = ctx.now()
  const deposits = await depositsOfPayment(ctx, payment.id)
  const known = tips ?? (deposits.length > 0 ? await listTips(ctx) : new Map<number, number>())
  const facts = isAsking(payment) ? await factsOf(ctx, payment, deposits, known) : []
  const hasMoreTime = payment.status !== 'CANCELLED' && (isReopened || isFirstMoney(payment, facts))
  const expiresAt = hasMoreTime ? extended(payment.expiresAt, now) : payment.expiresAt
  const holdsPrice = hasMoreTime && payment.terms !== null && deposits.some(isAtHeldPrice)
  const rateLockedUntil = holdsPrice ? expiresAt : payment.rateLockedUntil
  const policy = await paymentPolicy(ctx, payment.project.id)
  const funding = fund({ ...payment, expiresAt }, facts, policy, now)
  const after: Payment = { ...payment, ...funding, expiresAt, rateLockedUntil }
  await moveFunded(ctx, payment, { ...funding, expiresAt, rateLockedUntil })
  for (const type of eventsBetween(payment, funding)) {
    await tellEvent(ctx, after, type, { deposits, tips: known, previousStatus: payment.status })
  }
  return after
}

/** Whether the payer picked what to pay with. */
export function isAsking(payment: Payment): payment is Asking {
  return payment.terms !== null
}

async function factsOf(ctx: Context, { terms }: Asking, deposits: readonly Deposit[], tips: Tips): Promise<Fact[]> {
  const assets = new Map<number, AssetFacts>([[terms.asset.id, terms.asset]])
  for (const { assetId } of deposits) if (!assets.has(assetId)) assets.set(assetId, await getAsset(ctx, assetId))
  return deposits.map((deposit) =>
    factOf(deposit, {
      asset: assets.get(deposit.assetId) ?? terms.asset,
      terms,
      confirmations: confirmationsOf(deposit, tips.get(deposit.blockchainId)),
    }),
  )
}

/** Money in time that is the first of this payment: from now on the rest may follow (P-4). */
function isFirstMoney({ seenUnits }: Payment, facts: readonly Fact[]): boolean {
  return seenUnits === 0n && facts.some(({ state, isLate }) => (state === 'seen' || state === 'final') && !isLate)
}
