import type { PaymentState } from '@kassa/contract/payments/machine.ts'
import type { EventType } from '@kassa/contract/webhooks/events.ts'

import type { Context } from '../../context.ts'
import { type Deposit, depositsOfPayment } from '../deposits/service.ts'
import { leastConfirmed } from './deposit-rules.ts'
import { paymentMessage } from './message.ts'
import type { Payment } from './payment.ts'
import { listTips } from './read-store.ts'
import { nextSequence } from './store.ts'

/** Blocks newer than those the database knows of, by blockchain: inside the transaction that takes them in. */
export type Tips = ReadonlyMap<number, number>

/** Tells that something happened to a payment, numbered among its events, in the open transaction. */
export async function tellEvent(
  ctx: Context,
  payment: Payment,
  type: EventType,
  known: { deposits?: readonly Deposit[]; tips?: Tips; previousStatus?: PaymentState } = {},
): Promise<void> {
  const deposits = known.deposits ?? (await depositsOfPayment(ctx, payment.id))
  const tips = known.tips ?? (deposits.length > 0 ? await listTips(ctx) : new Map<number, number>())
  await ctx.events.emit(ctx, {
    type,
    projectId: payment.project.id,
    orderKey: payment.reference,
    sequence: await nextSequence(ctx, payment.id),
    referenceId: payment.reference,
    payload: {
      event_type: type,
      ...paymentMessage(payment, {
        deposits,
        confirmations: leastConfirmed(deposits, tips),
        previousStatus: known.previousStatus ?? payment.status,
        at: ctx.now(),
        isTest: ctx.config.network !== 'mainnet',
      }),
    },
  })
}
