import type { Context } from '../../../context.ts'
import { paymentIn, type PaymentBatch, loadBatch, recomputeBatch, saveBatch } from './payment-batch.ts'
import type { Payment } from '../payment/payment.ts'
import { listTips } from '../payment/store.ts'

/**
 * Recomputes a payment from its deposits and the clock, saves it and emits the events of the change; returns the new state.
 * The caller has locked the payment; repeating it changes nothing. Deposits applied by an operator are counted from now on.
 */
export async function recomputePayment(ctx: Context, payment: Payment): Promise<Payment> {
  return paymentIn(await recomputePayments(ctx, [payment]), payment.id).now
}

/** Recomputes several payments and saves them together. */
export async function recomputePayments(ctx: Context, payments: readonly Payment[]): Promise<PaymentBatch> {
  const batch = await loadBatch(ctx, payments)
  const hasDeposits = [...batch.payments.values()].some(({ deposits }) => deposits.length > 0)
  const tips = hasDeposits ? await listTips(ctx) : new Map<number, number>()
  for (const { id } of payments) recomputeBatch(ctx, batch, id, { tips })
  await saveBatch(ctx, batch)
  return batch
}
