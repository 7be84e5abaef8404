/**
 * Sales: payments that matter to the programme. Kassa logs the payment of a customer whom a promoter brought; logs that name a
 * payment wait for it; when a payment loses money, its rewards lose it in the same transaction.
 */
import { KASSA_PAYMENT_EVENT } from '@kassa/contract/referral/machine.ts'
import type { RewardReversal } from '@kassa/contract/referral/reasons.ts'
import type { EventType } from '@kassa/contract/webhooks/events.ts'

import type { Context, StoredEvent } from '../../../context.ts'
import { followPayments, wakeLogs } from '../counting/service.ts'
import { listPaymentFacts, listPaymentsOfProgramme, listUnlogged } from '../logs/payment-store.ts'
import { storeLogs } from '../logs/service.ts'
import { lockLogging, lockLogsOfPayments, moveLogs } from '../logs/store.ts'
import { findRefunded } from './store.ts'

/** Events that change the final money of a payment. */
const MONEY_MOVED: ReadonlySet<EventType> = new Set([
  'payment.partially_filled',
  'payment.filled',
  'payment.over_filled',
  'payment.reopened',
])

/** Subscriber: follows payments whose final money changed. */
export async function followSales(tx: Context, events: readonly StoredEvent[]): Promise<void> {
  const references = events.flatMap(({ type, referenceId }) =>
    MONEY_MOVED.has(type) && referenceId ? [referenceId] : [],
  )
  if (references.length === 0) return
  const paymentIds = await listPaymentsOfProgramme(tx, [...new Set(references)])
  if (paymentIds.length === 0) return
  await followLogs(tx, paymentIds, 'PAYMENT_REOPENED')
  await storeLogs(
    tx,
    (await listUnlogged(tx, paymentIds, KASSA_PAYMENT_EVENT)).map((payment) => ({
      projectId: payment.project_id,
      eventId: payment.event_id,
      memberId: payment.member_id,
      paymentId: payment.id,
      ...{ amount: null, data: null, externalId: null, status: 'pending' },
    })),
  )
}

/** Subscriber: a settled refund reduces the rewards of its payment; a reorganisation that undoes it restores them. */
export async function followRefund(tx: Context, { payload }: StoredEvent): Promise<void> {
  const paymentId = await findRefunded(tx, BigInt(payload.payout_id as number))
  if (paymentId !== undefined) await followLogs(tx, [paymentId], 'PAYMENT_REFUNDED')
}

async function followLogs(tx: Context, paymentIds: readonly bigint[], reason: RewardReversal): Promise<void> {
  await lockLogging(tx, paymentIds)
  const logs = await lockLogsOfPayments(tx, paymentIds)
  if (logs.length === 0) return
  const facts = await listPaymentFacts(tx, paymentIds)
  const isFilled = (paymentId: bigint | null) => paymentId !== null && facts.get(paymentId)?.isFilled === true
  const idsOf = (status: string, filled: boolean) =>
    logs.filter((log) => log.status === status && isFilled(log.payment_id) === filled).map(({ id }) => id)
  await moveLogs(tx, idsOf('pending', false), { from: 'pending', to: 'waiting' })
  await wakeLogs(tx, paymentIds.filter(isFilled))
  const counted = logs.filter(({ status }) => status === 'processed').map(({ id }) => id)
  await followPayments(tx, counted, reason)
}
