import type { Context } from '../../../context.ts'
import { type Deposit, finalize, type ChainPosition } from '../../deposits/service.ts'
import { dispositionOf } from './finality-rules.ts'
import {
  type PaymentBatch,
  loadInto,
  recomputeBatch,
  replaceDeposits,
  emitBatch,
  tipsOf,
} from '../funding/payment-batch.ts'
import { lockPayments } from '../payment/store.ts'
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
  replaceDeposits(batch, finalized, (before, now) => before.id === now.id)
  const tips = await recomputeAll(ctx, batch, finalized, position)
  emitLateDeposits(ctx, batch, finalized, tips)
}

/** Recomputes the payments of these deposits in the batch; returns how far the blockchains of the batch are read. */
export async function recomputeAll(
  ctx: Context,
  batch: PaymentBatch,
  deposits: readonly Deposit[],
  position: { readonly blockchainId: number; readonly tip: number; readonly isReopened?: boolean },
): Promise<Tips> {
  const ids = paymentIds(deposits).toSorted((a, b) => (a < b ? -1 : 1))
  const missing = ids.filter((id) => !batch.payments.has(id))
  await loadInto(ctx, batch, await lockPayments(ctx, missing))
  const tips = await tipsOf(ctx, batch, position)
  for (const id of ids) recomputeBatch(ctx, batch, id, { tips, isReopened: position.isReopened ?? false })
  return tips
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
