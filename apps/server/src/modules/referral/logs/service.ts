/**
 * Event logs: what customers did, as a shop reports it or Kassa sees it. A log is stored once and counted in the background;
 * one that names a payment waits until the payment is filled, and its rewards follow what happens to that payment.
 */
import type { EventLogFilters, NewEventLog } from '@kassa/contract/referral/inputs.ts'
import { KASSA_PAYMENT_EVENT, type ReferralEventType } from '@kassa/contract/referral/machine.ts'
import { REWARD_DECIMALS } from '@kassa/contract/referral/rewards.ts'
import { EventLog, type EventLogRow } from '@kassa/contract/referral/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import * as z from 'zod/mini'

import { keyFor } from '../../../config/keys.ts'
import { type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import { readPage, toPage } from '../../../paging/paging.ts'
import { readSpan } from '../../../paging/span.ts'
import { lockReferrers } from '../referrers/service.ts'
import type { PageOf } from '../rewards/lists.ts'
import { listPaymentFacts, lockPayment, type PaymentFacts } from './payment-store.ts'
import { countFoundLogs, findLoggedOf, insertLogs, listFoundLogs, listUses, lockLogging, type NewLog } from './store.ts'
import { logRowView, logView } from './view.ts'

/**
 * Logs what a customer did.
 * @throws REFERRAL_EVENT_UNKNOWN, REFERRER_NOT_FOUND, PAYMENT_NOT_FOUND, REFERRAL_EVENT_DUPLICATE, REFERRAL_INVALID
 */
export async function logEvent(
  ctx: Context,
  projectId: number,
  input: NewEventLog,
): Promise<z.output<typeof EventLog>> {
  return inTransaction(ctx, async (tx) => {
    const { event, memberId } = await loggedOf(tx, projectId, input)
    const payment = input.referenceOfPayment ? await lockedPaymentOf(tx, projectId, input.referenceOfPayment) : null
    const amount = amountOf(input, event.type, payment)
    const [stored] = await storeLogs(tx, [
      {
        projectId,
        eventId: event.id,
        memberId,
        amount,
        data: input.data ?? null,
        externalId: input.externalID || null,
        paymentId: payment?.id ?? null,
        status: payment === null || payment.isFilled ? 'pending' : 'waiting',
      },
    ])
    if (!stored) return fail('REFERRAL_EVENT_DUPLICATE')
    tx.change(null, { id: stored.id, eventKey: input.eventKey, member_id: memberId })
    return stored
  })
}

/**
 * Stores logs that are new and announces them, which wakes the counting loop. The caller has taken the locks that come before
 * (money.md 4.3).
 */
export async function storeLogs(tx: Context, logs: readonly NewLog[]): Promise<z.output<typeof EventLog>[]> {
  // Rows of several people are locked in the order of their ids, as everywhere.
  if (logs.length > 1)
    await lockReferrers(
      tx,
      logs.map(({ memberId }) => memberId),
    )
  const stored = (await insertLogs(tx, logs)).map((row) => ({ row, shown: logView(row) }))
  await tx.events.emitAll(
    tx,
    stored.map(({ row, shown }) => ({
      type: 'referral.event_logged',
      projectId: row.project_id,
      orderKey: `referrer:${row.member_id}`,
      sequence: row.sequence,
      payload: {
        event_type: 'referral.event_logged',
        timestamp: Math.floor(tx.now().getTime() / 1000),
        project_id: row.project_id,
        data: z.encode(EventLog, shown),
      },
    })),
  )
  return stored.map(({ shown }) => shown)
}

/** What was done and who did it. @throws REFERRAL_EVENT_UNKNOWN, REFERRAL_INVALID, REFERRER_NOT_FOUND */
async function loggedOf(tx: Context, projectId: number, { eventKey, referenceID }: NewEventLog) {
  const found = await findLoggedOf(tx, projectId, { eventKey, referenceId: referenceID })
  const { event_id: id, event_type: type, member_id: memberId } = found
  if (id === null || type === null) return fail('REFERRAL_EVENT_UNKNOWN', { values: { key: eventKey } })
  if (eventKey === KASSA_PAYMENT_EVENT) return invalid('eventKey', 'Kassa logs this event itself')
  return { event: { id, type }, memberId: memberId ?? fail('REFERRER_NOT_FOUND') }
}

function invalid(field: string, text: string): never {
  return fail('REFERRAL_INVALID', { message: text, fields: { [field]: text } })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function lockedPaymentOf(tx: Context, projectId: number, reference: string): Promise<PaymentFacts> {
  const id = UUID.test(reference) ? await lockPayment(tx, projectId, reference) : undefined
  // A refund that becomes final moves no row of the payment.
  if (id !== undefined) await lockLogging(tx, [id])
  const facts = id === undefined ? undefined : (await listPaymentFacts(tx, [id])).get(id)
  return facts ?? fail('PAYMENT_NOT_FOUND')
}

/** The amount of an event: the given one, or what its payment brings. */
function amountOf({ amount }: NewEventLog, type: ReferralEventType, payment: PaymentFacts | null): bigint | null {
  const given = amount === undefined || amount === null ? null : readAmount(amount)
  if (type === 'simple') {
    return given === null ? null : invalid('amount', 'Amount is for payment events only')
  }
  if (given === null && payment === null) return invalid('amount', 'Amount is required')
  if (given !== null && payment?.isFilled && given > payment.filled) {
    return invalid('amount', 'Amount must not exceed what was paid')
  }
  return given
}

function readAmount(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return parseUnits(fraction === '' ? whole : `${whole}.${fraction.slice(0, REWARD_DECIMALS)}`, REWARD_DECIMALS)
}

/** A page of logs, newest first, with what each campaign made of them. @throws FILTER_INVALID, CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listLogs(
  ctx: Context,
  { projectIds }: ProjectScope,
  input: EventLogFilters,
): Promise<PageOf<EventLogRow>> {
  const filter = {
    projectIds,
    eventKey: input.eventKey,
    referenceId: input.referenceID,
    status: input.status,
    campaignId: input.campaignID,
    ...readSpan(input),
  }
  const rules = { list: 'event logs', filter, sorts: ['created_at'], signingKey: keyFor(ctx, 'cursor') } as const
  const page = readPage(input, rules)
  const { rows, nextCursor } = toPage(await listFoundLogs(ctx, filter, page), page, rules)
  const uses = Map.groupBy(
    await listUses(
      ctx,
      rows.map(({ id }) => id),
    ),
    ({ log_id }) => log_id,
  )
  return {
    data: rows.map((row) => logRowView(row, uses.get(row.id) ?? [])),
    total: await countFoundLogs(ctx, filter),
    limit: page.limit,
    offset: page.offset,
    nextCursor,
  }
}
