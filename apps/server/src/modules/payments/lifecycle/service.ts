/** Lifecycle: a payment is created, cancelled, or expires. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Context, inTransaction } from '../../../context.ts'
import type { Payment } from '../payment/payment.ts'
import { lockPayment, lockPayments } from '../payment/store.ts'
import { cancelBlockedBy } from '../resolution/rules.ts'
import { moveCancelled, listExpired, lockExpired, moveEnd } from './store.ts'
import { emitPaymentEvent } from '../funding/payment-events.ts'
import { recomputePayments } from '../funding/recompute-payment.ts'
import { SLACK_MS } from '../funding/deposit-rules.ts'

export { createPayment } from './create-payment.ts'

/**
 * Cancels an open payment without a seen deposit; a deposit that arrives later is late, not lost.
 * @throws PAYMENT_NOT_OPEN, PAYMENT_HAS_FUNDS
 */
export async function cancelPayment(ctx: Context, { id }: Payment, reason: string | null): Promise<Payment> {
  return inTransaction(ctx, async (tx) => {
    const isCancelled = await moveCancelled(tx, id, reason)
    const payment = (await lockPayment(tx, id)) ?? fail('INTERNAL_ERROR')
    if (!isCancelled) return fail(cancelBlockedBy(payment) === 'has_funds' ? 'PAYMENT_HAS_FUNDS' : 'PAYMENT_NOT_OPEN')
    await emitPaymentEvent(tx, payment, 'payment.cancelled', { previousStatus: 'OPEN' })
    return payment
  })
}

/** Small enough that a transaction stays short; the rest follows at once. */
const BATCH = 100

/**
 * Expires the payments whose time is up; returns how many. Several processes share the work. One that cannot expire does not
 * block the others: it is logged and tried again with the next run.
 */
export async function expirePayments(ctx: Context): Promise<number> {
  let count = 0
  for (;;) {
    const ids = await listExpired(ctx, BATCH)
    try {
      const ended = await endAll(ctx, ids)
      count += ended
      // Nothing expired: another process works on these.
      if (ids.length < BATCH || ended === 0) return count
    } catch (err) {
      ctx.log.warn({ err, payments: ids.length }, 'payments expire one by one')
      return count + (await endEach(ctx, ids))
    }
  }
}

/** Expires those that no other process has locked and whose time is still up. */
function endAll(ctx: Context, ids: readonly bigint[]): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const payments = await lockPayments(tx, await lockExpired(tx, ids))
    await recomputePayments(tx, payments)
    return payments.length
  })
}

async function endEach(ctx: Context, ids: readonly bigint[]): Promise<number> {
  let count = 0
  for (const id of ids) {
    await endAll(ctx, [id]).then(
      (ended) => (count += ended),
      (err: unknown) => ctx.log.error({ err, paymentId: String(id) }, 'a payment could not expire'),
    )
  }
  return count
}

/**
 * Moves the end of a payment into the past, so that a further deposit is late: for trying that on the sandbox.
 * @throws Error on real networks
 */
export async function expireNow(ctx: Context, { id }: Payment): Promise<void> {
  if (ctx.config.network !== 'sandbox') throw new Error('Only the sandbox moves the end of a payment')
  await inTransaction(ctx, async (tx) => {
    await moveEnd(tx, id, new Date(tx.now().getTime() - SLACK_MS - 60_000))
    await recomputePayments(tx, await lockPayments(tx, [id]))
  })
}
