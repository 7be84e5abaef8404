import { paymentMachine } from '@kassa/contract/payments/machine.ts'
import { USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import { textOf } from '../../db/recordset.ts'
import { HELD_REASONS } from './deposit-rules.ts'
import type { Payment } from './payment.ts'
import type { PaymentReads, PaymentTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PaymentTables & PaymentReads>()

export type NewPaymentRow = {
  readonly reference: string
  readonly projectId: number
  readonly customerId: number
  readonly invoiceId: string
  /** Decimal text. */
  readonly amountUsd: string
  readonly createdBy: 'user' | 'system'
  readonly operatorId: number | null
  readonly keyId: number | null
  readonly description: string
  readonly metadata: Record<string, unknown>
  readonly successUrl: string | null
  readonly cancelUrl: string | null
  readonly expiresAt: Date
}

/** Inserts an open payment; returns its id. */
export async function insertPayment(ctx: Context, payment: NewPaymentRow): Promise<bigint> {
  const now = ctx.now()
  const row = await tables(ctx)
    .insertInto('payments')
    .values({
      reference_id: payment.reference,
      project_id: payment.projectId,
      customer_id: payment.customerId,
      invoice_id: payment.invoiceId,
      amount_usd: payment.amountUsd,
      created_by: payment.createdBy,
      created_by_operator: payment.operatorId,
      created_by_key: payment.keyId,
      description: payment.description,
      metadata: JSON.stringify(payment.metadata),
      success_url: payment.successUrl,
      cancel_url: payment.cancelUrl,
      expires_at: payment.expiresAt,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/**
 * Lets nobody else take in or take back money of a blockchain until the transaction ends: the reader of its blocks and
 * somebody who reads one again.
 */
export async function lockMoneyOf(ctx: Context, blockchainId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('money of a blockchain'), ${blockchainId})`.execute(ctx.db)
}

/** Cancels a customer's other open payments without money in favour of a newer one; returns their ids. */
export async function moveSuperseded(
  ctx: Context,
  { customerId, by }: { customerId: number; by: bigint },
): Promise<bigint[]> {
  const { from, to } = paymentMachine.moves.cancel
  const now = ctx.now()
  const rows = await tables(ctx)
    .updateTable('payments')
    .set({ status: to, cancel_reason: 'superseded', superseded_by: by, expires_at: now, updated_at: now })
    .where('customer_id', '=', customerId)
    .where('id', '<>', by)
    .where('status', 'in', from)
    .where('seen_units', '=', '0')
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Cancels an open payment without money; false when it is not that any more. */
export async function moveCancelled(ctx: Context, id: bigint, note: string | null): Promise<boolean> {
  const { from, to } = paymentMachine.moves.cancel
  const now = ctx.now()
  const row = await tables(ctx)
    .updateTable('payments')
    .set({ status: to, cancel_reason: 'merchant', cancel_note: note, expires_at: now, updated_at: now })
    .where('id', '=', id)
    .where('status', 'in', from)
    .where('seen_units', '=', '0')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Payments whose time is up and that the clock moves. */
function expired(ctx: Context) {
  return tables(ctx)
    .selectFrom('payments')
    .select('id')
    .where('expires_at', '<=', ctx.now())
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'OPEN'), eb('seen_units', '=', '0')]),
        eb.and([eb('status', '=', 'PARTIALLY_FILLED'), eb('cancel_reason', 'is', null)]),
      ]),
    )
}

/** Ids of payments whose time is up, oldest first. */
export async function listExpired(ctx: Context, limit: number): Promise<bigint[]> {
  const rows = await expired(ctx).orderBy('expires_at').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Locks those of these payments whose time is up still, skipping what is in other hands; ids ascending. */
export async function lockExpired(ctx: Context, ids: readonly bigint[]): Promise<bigint[]> {
  if (ids.length === 0) return []
  const rows = await expired(ctx)
    .where('id', 'in', [...ids])
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1))
}

/** A payment as it was found and as the facts made it, with the number of events it has to tell. */
export type Funded = {
  readonly found: Payment
  readonly now: Payment
  readonly events: number
  /** Its money changed: what a person settled before needs attention again. */
  readonly isUnsettled: boolean
}

/**
 * Moves payments to what the facts made of them, each in one step from the status it was found with; returns the numbers of
 * their last events.
 * @throws Error when one has another status by now: the caller did not hold its lock
 */
export async function moveFunded(ctx: Context, payments: readonly Funded[]): Promise<Map<bigint, number>> {
  if (payments.length === 0) return new Map()
  const now = ctx.now()
  const { rows } = await sql<{ id: bigint; event_count: number }>`
    UPDATE payments AS payment SET
      status = funded.status, funding_state = funded.funding_state, cancel_reason = funded.cancel_reason,
      late = funded.late, seen_units = funded.seen_units, filled_units = funded.filled_units,
      over_units = funded.over_units, filled_usd = funded.filled_usd, expires_at = funded.expires_at,
      rate_locked_until = funded.rate_locked_until, event_count = payment.event_count + funded.events, updated_at = ${now},
      filled_at = CASE WHEN funded.status IN ('FILLED', 'OVER_FILLED') THEN coalesce(payment.filled_at, ${now}) END,
      first_seen_at = CASE WHEN funded.seen_units > 0 THEN coalesce(payment.first_seen_at, ${now})
        ELSE payment.first_seen_at END,
      settled_at = CASE WHEN NOT funded.is_unsettled THEN payment.settled_at END,
      settled_by = CASE WHEN NOT funded.is_unsettled THEN payment.settled_by END,
      settled_note = CASE WHEN NOT funded.is_unsettled THEN payment.settled_note END
    FROM json_to_recordset(${textOf(payments.map(fundedRow))}::json) AS funded (
      id bigint, found text, status text, funding_state text, cancel_reason text, late boolean, seen_units numeric,
      filled_units numeric, over_units numeric, filled_usd numeric, expires_at timestamptz, rate_locked_until timestamptz,
      events int, is_unsettled boolean)
    WHERE payment.id = funded.id AND payment.status = funded.found
    RETURNING payment.id, payment.event_count`.execute(ctx.db)
  const counts = new Map(rows.map((row) => [row.id, row.event_count]))
  const lost = payments.find(({ found }) => !counts.has(found.id))
  if (lost) throw new Error(`Payment ${lost.found.reference} cannot become ${lost.now.status}`)
  return counts
}

function fundedRow({ found, now, events, isUnsettled }: Funded) {
  return {
    id: found.id,
    found: found.status,
    status: now.status,
    funding_state: now.fundingState,
    cancel_reason: now.cancelReason,
    late: now.late,
    seen_units: now.seenUnits,
    filled_units: now.filledUnits,
    over_units: now.overUnits,
    filled_usd: formatUnits(now.filledUsd, USD_DECIMALS),
    expires_at: now.expiresAt,
    rate_locked_until: now.rateLockedUntil,
    events,
    is_unsettled: isUnsettled,
  }
}

/** Moves the end of a payment and of its price. */
export async function moveEnd(ctx: Context, id: bigint, expiresAt: Date): Promise<void> {
  await tables(ctx)
    .updateTable('payments')
    .set({
      expires_at: expiresAt,
      rate_locked_until: sql<Date | null>`CASE WHEN asset_id IS NOT NULL THEN ${expiresAt}::timestamptz END`,
      updated_at: ctx.now(),
    })
    .where('id', '=', id)
    .execute()
}

/** Gives the next number of a payment's events. */
export async function nextSequence(ctx: Context, id: bigint): Promise<number> {
  const row = await tables(ctx)
    .updateTable('payments')
    .set((eb) => ({ event_count: eb('event_count', '+', 1) }))
    .where('id', '=', id)
    .returning('event_count')
    .executeTakeFirstOrThrow()
  return row.event_count
}

/** Moves on the payments whose money on a blockchain is seen, not final, and under another block: as `fund` has it. */
export async function moveConfirming(ctx: Context, blockchainId: number, tip: number): Promise<void> {
  await tables(ctx)
    .updateTable('payments')
    .set({ funding_state: 'confirming', updated_at: ctx.now() })
    .where('funding_state', '=', 'detected')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deposits')
        .select((each) => each.ref('payment_id').$notNull().as('id'))
        .where('blockchain_id', '=', blockchainId)
        .where('status', '=', 'seen')
        .where((each) => each.or([each('reason', 'is', null), each('reason', 'not in', HELD_REASONS)]))
        .where('height', '<', BigInt(tip)),
    )
    .execute()
}
