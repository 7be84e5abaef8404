import { fail } from '@kassa/contract/kit/refusal.ts'

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
 * Takes a person's word that nothing more is to be done about a payment: it needs no attention until its money changes or
 * its shop is not told of something again. Nothing moves, nothing is posted; saying it twice is saying it once.
 * @throws RESOLUTION_NOT_POSSIBLE with what to do instead
 */
export async function markResolved(ctx: Context, { id, customer }: Payment, note: string): Promise<Payment> {
  return inTransaction(ctx, async (tx) => {
    await lockCustomers(tx, [customer.id])
    const payment = (await lockPayment(tx, id)) ?? fail('PAYMENT_NOT_FOUND')
    const attention = await attentionOf(tx, id)
    if (payment.settlement && !attention.isNeeded) return payment
    const why = resolveBlockedBy(payment, attention)
    if (why) refuse(why)
    const settlement = { at: tx.now(), by: actorOf(tx.caller), note }
    await moveResolved(tx, id, settlement)
    await emitResolution(tx, payment, { action: 'settle', note, deposit: null })
    return { ...payment, settlement, updatedAt: settlement.at }
  })
}
