import { fail } from '@kassa/contract/kit/refusal.ts'

import { type Context, inTransaction } from '../../context.ts'
import type { Payment } from './payment.ts'
import { lockPayment } from './read-store.ts'
import { moveCancelled } from './store.ts'
import { tellEvent } from './tell-event.ts'

/**
 * Ends an open payment for which no money was seen; what comes later is late, not lost.
 * @throws PAYMENT_NOT_OPEN, PAYMENT_HAS_FUNDS
 */
export async function cancelPayment(ctx: Context, { id }: Payment, reason: string | null): Promise<Payment> {
  return inTransaction(ctx, async (tx) => {
    const isCancelled = await moveCancelled(tx, id, reason)
    const payment = (await lockPayment(tx, id)) ?? fail('INTERNAL_ERROR')
    if (!isCancelled) return fail(isUnderWay(payment) ? 'PAYMENT_HAS_FUNDS' : 'PAYMENT_NOT_OPEN')
    await tellEvent(tx, payment, 'payment.cancelled', { previousStatus: 'OPEN' })
    return payment
  })
}

function isUnderWay({ status }: Payment): boolean {
  return status === 'OPEN' || status === 'PARTIALLY_FILLED'
}
