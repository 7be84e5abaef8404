import { USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { textOf } from '../../../db/recordset.ts'
import type { PaymentReads, PaymentTables } from '../payment/tables.ts'
import type { Payment } from '../payment/payment.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PaymentTables & PaymentReads>()

/**
 * Saves recomputed payments, each in one step from the status it was loaded with; returns the sequence numbers of their last
 * events.
 * @throws Error when one has another status by now: the caller did not lock it
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
      resolved_at = CASE WHEN NOT funded.is_unresolved THEN payment.resolved_at END,
      resolved_by = CASE WHEN NOT funded.is_unresolved THEN payment.resolved_by END,
      resolved_note = CASE WHEN NOT funded.is_unresolved THEN payment.resolved_note END
    FROM json_to_recordset(${textOf(payments.map(fundedRow))}::json) AS funded (
      id bigint, found text, status text, funding_state text, cancel_reason text, late boolean, seen_units numeric,
      filled_units numeric, over_units numeric, filled_usd numeric, expires_at timestamptz, rate_locked_until timestamptz,
      events int, is_unresolved boolean)
    WHERE payment.id = funded.id AND payment.status = funded.found
    RETURNING payment.id, payment.event_count`.execute(ctx.db)
  const counts = new Map(rows.map((row) => [row.id, row.event_count]))
  const lost = payments.find(({ found }) => !counts.has(found.id))
  if (lost) throw new Error(`Payment ${lost.found.reference} cannot become ${lost.now.status}`)
  return counts
}

function fundedRow({ found, now, events, isUnresolved }: Funded) {
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
    is_unresolved: isUnresolved,
  }
}

/** Returns the next sequence number of a payment's events. */
export async function nextSequence(ctx: Context, id: bigint): Promise<number> {
  const row = await tables(ctx)
    .updateTable('payments')
    .set((eb) => ({ event_count: eb('event_count', '+', 1) }))
    .where('id', '=', id)
    .returning('event_count')
    .executeTakeFirstOrThrow()
  return row.event_count
}

/** A payment as it was loaded and as it is now, with the number of its new events. */
export type Funded = {
  readonly found: Payment
  readonly now: Payment
  readonly events: number
  /** Its deposits changed: a resolved payment needs attention again. */
  readonly isUnresolved: boolean
}
