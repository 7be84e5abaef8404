/** Lifecycle: a payment is created, cancelled by a person, or expires by the clock. */
import { fail } from '@kassa/contract/kit/refusal.ts'
import { type Context, inTransaction } from '../../../context.ts'
import type { Payment } from '../payment/payment.ts'
import { lockPayment, lockPayments } from '../payment/store.ts'
import { moveCancelled, listExpired, lockExpired, moveEnd } from './store.ts'
import { emitPaymentEvent } from '../funding/payment-events.ts'
import { recomputePayments } from '../funding/recompute-payment.ts'
import { SLACK_MS } from '../funding/deposit-rules.ts'

export { createPayment } from './create-payment.ts'

/**
 * Ends an open payment for which no money was seen; what comes later is late, not lost.
 * @throws PAYMENT_NOT_OPEN, PAYMENT_HAS_FUNDS
 */
export async function cancelPayment(ctx: Context, { id }: Payment, reason: string | null): Promise<Payment> {
  return inTransaction(ctx, async (tx) => {
    const isCancelled = await moveCancelled(tx, id, reason)
    const payment = (await lockPayment(tx, id)) ?? fail('INTERNAL_ERROR')
    if (!isCancelled) return fail(isUnderWay(payment) ? 'PAYMENT_HAS_FUNDS' : 'PAYMENT_NOT_OPEN')
    await emitPaymentEvent(tx, payment, 'payment.cancelled', { previousStatus: 'OPEN' })
    return payment
  })
}

function isUnderWay({ status }: Payment): boolean {
  return status === 'OPEN' || status === 'PARTIALLY_FILLED'
}

/** Small enough that a transaction stays short; the rest follows at once. */
const BATCH = 100

/**
 * Ends the payments whose time is up; returns how many. Several processes share the work. One that cannot be ended keeps no
 * other from it: it is logged, and tried again with the next round.
 */
export async function expirePayments(ctx: Context): Promise<number> {
  let count = 0
  for (;;) {
    const ids = await listExpired(ctx, BATCH)
    try {
      const ended = await endAll(ctx, ids)
      count += ended
      // Nothing ended: another process is at these.
      if (ids.length < BATCH || ended === 0) return count
    } catch (err) {
      ctx.log.warn({ err, payments: ids.length }, 'payments are ended one by one')
      return count + (await endEach(ctx, ids))
    }
  }
}

/** Ends those that nobody else is at and whose time is up still. */
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
      (err: unknown) => ctx.log.error({ err, paymentId: String(id) }, 'a payment whose time is up cannot be ended'),
    )
  }
  return count
}

/**
 * Makes a payment's time be over for so long that money is late for it: for trying that out on the sandbox.
 * @throws Error on real networks
 */
export async function expireNow(ctx: Context, { id }: Payment): Promise<void> {
  if (ctx.config.network !== 'sandbox') throw new Error('Only the sandbox moves the end of a payment')
  await inTransaction(ctx, async (tx) => {
    await moveEnd(tx, id, new Date(tx.now().getTime() - SLACK_MS - 60_000))
    await recomputePayments(tx, await lockPayments(tx, [id]))
  })
}
