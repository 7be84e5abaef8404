import type { Context } from '../../../context.ts'
import { type Deposit, finalize, type Disposition, type ChainPosition } from '../../deposits/service.ts'
import { isUnapplied } from '../funding/deposit-rules.ts'
import {
  type PaymentBatch,
  loadInto,
  type Recomputation,
  recomputeBatch,
  replaceDeposits,
  emitBatch,
} from '../funding/payment-batch.ts'
import { listTips, lockPayments } from '../payment/store.ts'
import type { Tips } from '../funding/payment-events.ts'

/**
 * Places every deposit of these customers that became final and makes the payments it is for what they are then; they are
 * held, not written. The caller holds the locks of the blockchain and of the customers.
 */
export async function finalizeDeposits(
  ctx: Context,
  standing: ChainPosition,
  { owners, held }: { owners: readonly number[]; held: PaymentBatch },
): Promise<void> {
  const placed = await finalize(ctx, standing, { decide: placementOf, owners })
  if (placed.length === 0) return
  const tips = new Map([...(await listTips(ctx)), [standing.blockchainId, standing.tip]])
  replaceDeposits(held, placed, (before, now) => before.id === now.id)
  await recomputeAll(ctx, held, placed, { tips })
  tellKept(ctx, held, placed, tips)
}

/** What was decided when the deposit was seen holds: later events do not change whose money it is. */
function placementOf({ paymentId, reason, late, doubt }: Deposit): Disposition {
  if (reason === 'below_minimum' || reason === 'own') return { status: 'ignored', paymentId, reason, late }
  if (doubt) return { status: 'quarantined', paymentId, reason: doubt, late }
  const isCounted = paymentId !== null && !isUnapplied(reason)
  return { status: isCounted ? 'applied' : 'unapplied', paymentId, reason, late }
}

export async function recomputeAll(
  ctx: Context,
  held: PaymentBatch,
  deposits: readonly Deposit[],
  options: Recomputation,
): Promise<void> {
  const ids = paymentIds(deposits).toSorted((a, b) => (a < b ? -1 : 1))
  const missing = ids.filter((id) => !held.payments.has(id))
  await loadInto(ctx, held, await lockPayments(ctx, missing))
  for (const id of ids) recomputeBatch(ctx, held, id, options)
}

/** Money after the grace period is kept for the customer; the merchant hears of it (money.md 3.5, row 14). */
function tellKept(ctx: Context, held: PaymentBatch, deposits: readonly Deposit[], tips: Tips): void {
  const kept = paymentIds(deposits.filter(({ reason }) => reason === 'late'))
  for (const id of kept.toSorted((a, b) => (a < b ? -1 : 1))) {
    emitBatch(ctx, held, id, { type: 'payment.late_deposit', tips })
  }
}

function paymentIds(deposits: readonly Deposit[]): bigint[] {
  return [...new Set(deposits.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId])))]
}
