import type { Context } from '../../../context.ts'
import { heldPayment, type PaymentBatch, loadBatch, recomputeBatch, saveBatch } from './payment-batch.ts'
import type { Payment } from '../payment/payment.ts'
import { listTips } from '../payment/store.ts'

/**
 * Makes a payment what its deposits and the clock say it is, and tells what changed; returns it as it is then. The caller
 * holds the payment's lock; doing it again changes nothing. Money that a person gave to it is counted from now on.
 */
export async function recomputePayment(ctx: Context, payment: Payment): Promise<Payment> {
  return heldPayment(await recomputePayments(ctx, [payment]), payment.id).now
}

/** The same for several, which are written at once. */
export async function recomputePayments(ctx: Context, payments: readonly Payment[]): Promise<PaymentBatch> {
  const held = await loadBatch(ctx, payments)
  const hasDeposits = [...held.payments.values()].some(({ deposits }) => deposits.length > 0)
  const tips = hasDeposits ? await listTips(ctx) : new Map<number, number>()
  for (const { id } of payments) recomputeBatch(ctx, held, id, { tips })
  await saveBatch(ctx, held)
  return held
}
