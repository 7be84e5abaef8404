import { fail } from '@kassa/contract/kit/api-error.ts'

import { actorOf, type Context, inTransaction } from '../../../context.ts'
import { lockCustomers } from '../../customers/service.ts'
import { attentionOf } from '../payment/attention-store.ts'
import { refuse } from './apply-deposit.ts'
import type { Payment } from '../payment/payment.ts'
import { lockPayment } from '../payment/store.ts'
import { resolveBlockedBy } from './rules.ts'
import { moveResolved } from './store.ts'
import { emitResolution } from '../funding/payment-events.ts'

/**
 * Marks a payment as resolved: it needs no attention until its deposits change or a further delivery fails. No money moves
 * and nothing is posted; marking it twice has no further effect.
 * @throws RESOLUTION_NOT_POSSIBLE with what to do instead
 */
export async function markResolved(ctx: Context, { id, customer }: Payment, note: string): Promise<Payment> {
  return inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [customer.id])
    const payment = (await lockPayment(tx, id)) ?? fail('PAYMENT_NOT_FOUND')
    const attention = await attentionOf(tx, id)
    if (payment.resolved && !attention.isNeeded) return payment
    const block = resolveBlockedBy(payment, attention)
    if (block) refuse(block)
    const resolved = { at: tx.now(), by: actorOf(tx.caller), note }
    await moveResolved(tx, id, resolved)
    await emitResolution(tx, payment, { action: 'mark_resolved', note, deposit: null })
    return { ...payment, resolved, updatedAt: resolved.at }
  })
}
