import type { Context } from '../../../context.ts'
import { type Deposit, finalize, type ChainPosition } from '../../deposits/service.ts'
import { dispositionOf } from './finality-rules.ts'
import {
  type PaymentBatch,
  loadInto,
  type RecomputeOptions,
  recomputeBatch,
  replaceDeposits,
  emitBatch,
} from '../funding/payment-batch.ts'
import { listTips, lockPayments } from '../payment/store.ts'
import type { Tips } from '../funding/payment-events.ts'

/**
 * Decides the disposition of every deposit of these customers that became final and recomputes their payments in the batch,
 * which the caller saves. The caller has locked the blockchain and the customers.
 */
export async function finalizeDeposits(
  ctx: Context,
  position: ChainPosition,
  { owners, batch }: { owners: readonly number[]; batch: PaymentBatch },
): Promise<void> {
  const finalized = await finalize(ctx, position, { decide: dispositionOf, owners })
  if (finalized.length === 0) return
  const tips = new Map([...(await listTips(ctx)), [position.blockchainId, position.tip]])
  replaceDeposits(batch, finalized, (before, now) => before.id === now.id)
  await recomputeAll(ctx, batch, finalized, { tips })
  emitLateDeposits(ctx, batch, finalized, tips)
}

export async function recomputeAll(
  ctx: Context,
  batch: PaymentBatch,
  deposits: readonly Deposit[],
  options: RecomputeOptions,
): Promise<void> {
  const ids = paymentIds(deposits).toSorted((a, b) => (a < b ? -1 : 1))
  const missing = ids.filter((id) => !batch.payments.has(id))
  await loadInto(ctx, batch, await lockPayments(ctx, missing))
  for (const id of ids) recomputeBatch(ctx, batch, id, options)
}

/** A deposit after the grace period stays unapplied, and the merchant is notified (money.md 3.5, row 14). */
function emitLateDeposits(ctx: Context, batch: PaymentBatch, deposits: readonly Deposit[], tips: Tips): void {
  const ids = paymentIds(deposits.filter(({ reason }) => reason === 'late'))
  for (const id of ids.toSorted((a, b) => (a < b ? -1 : 1))) {
    emitBatch(ctx, batch, id, { type: 'payment.late_deposit', tips })
  }
}

function paymentIds(deposits: readonly Deposit[]): bigint[] {
  return [...new Set(deposits.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId])))]
}
