import { fail } from '@kassa/contract/kit/api-error.ts'
import { paymentMachine, WAITING_STATES } from '@kassa/contract/payments/machine.ts'
import { sql } from 'kysely'
import type { Context, EventRow } from '../../../context.ts'
import { rowsInto } from '../../../db/recordset.ts'
import { together } from '../../../db/round-trips/together.ts'
import { insertEventRows } from '../../../events/store.ts'
import type { PaymentReads, PaymentTables } from '../payment/tables.ts'

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
  readonly createdAt: Date
}

/** A payment that is being made, and the event that says so. */
type NewLink = { readonly payment: NewPaymentRow; readonly created: EventRow }

/** Inserts an open payment in one statement with its first event, which is counted already; returns the ids of both. */
export const insertPayment = together(insertPayments)

async function insertPayments(
  ctx: Context,
  links: readonly NewLink[],
): Promise<{ readonly id: bigint; readonly eventId: bigint }[]> {
  const payments = links.map(({ payment }) => columnsOf(payment))
  const events = links.map(({ created }) => created)
  const { rows } = await sql<{ name: string; id: bigint }>`
    WITH event AS (${insertEventRows(events)}),
      payment AS (INSERT INTO ${rowsInto('payments', payments)} RETURNING id, reference_id)
    SELECT reference_id::text AS name, id FROM payment UNION ALL SELECT event_id, id FROM event`.execute(ctx.db)
  const ids = new Map(rows.map(({ name, id }) => [name, id]))
  const idOf = (name: string) => ids.get(name) ?? fail('INTERNAL_ERROR')
  return links.map(({ payment, created }) => ({ id: idOf(payment.reference), eventId: idOf(created.eventId) }))
}

function columnsOf(payment: NewPaymentRow) {
  return {
    reference_id: payment.reference,
    project_id: payment.projectId,
    customer_id: payment.customerId,
    invoice_id: payment.invoiceId,
    amount_usd: payment.amountUsd,
    created_by: payment.createdBy,
    created_by_operator: payment.operatorId,
    created_by_key: payment.keyId,
    description: payment.description,
    metadata: payment.metadata,
    success_url: payment.successUrl,
    cancel_url: payment.cancelUrl,
    event_count: 1,
    expires_at: payment.expiresAt,
    created_at: payment.createdAt,
    updated_at: payment.createdAt,
  }
}

/**
 * Cancels a customer's other open payments without money in favour of a newer one; returns the sequence number of the event
 * that each has now, by id.
 */
export async function moveSuperseded(
  ctx: Context,
  { customerId, by }: { customerId: number; by: bigint },
): Promise<Map<bigint, number>> {
  const { from, to } = paymentMachine.moves.cancel
  const now = ctx.now()
  const rows = await tables(ctx)
    .updateTable('payments')
    .set((eb) => ({
      status: to,
      cancel_reason: 'superseded',
      superseded_by: by,
      event_count: eb('event_count', '+', 1),
      expires_at: now,
      updated_at: now,
    }))
    .where('customer_id', '=', customerId)
    .where('id', '<>', by)
    .where('status', 'in', from)
    .where('seen_units', '=', '0')
    .where('funding_state', '<>', 'detected')
    .returning(['id', 'event_count'])
    .execute()
  return new Map(rows.map((row) => [row.id, row.event_count]))
}

export type OpenLinkRow = {
  readonly reference: string
  /** Decimal text. */
  readonly amountUsd: string
  /** How many are open. */
  readonly count: number
}

/** Finds the customer's newest open payment without money whose time is not up; undefined when there is none. */
export async function findOpenLink(ctx: Context, customerId: number): Promise<OpenLinkRow | undefined> {
  const row = await tables(ctx)
    .selectFrom('payments')
    .select(['reference_id', 'amount_usd', sql<bigint>`count(*) OVER ()`.as('count')])
    .where('customer_id', '=', customerId)
    .where('status', 'in', paymentMachine.moves.cancel.from)
    .where('seen_units', '=', '0')
    .where('funding_state', '<>', 'detected')
    .where('expires_at', '>', ctx.now())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { reference: row.reference_id, amountUsd: row.amount_usd, count: Number(row.count) }
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
    .where('funding_state', '<>', 'detected')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Payments that expire at their end: without a deposit, or partly paid. */
function expired(ctx: Context) {
  return tables(ctx)
    .selectFrom('payments')
    .select('id')
    .where('expires_at', '<=', ctx.now())
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'OPEN'), eb('seen_units', '=', '0'), eb('funding_state', '<>', 'detected')]),
        eb.and([eb('status', '=', 'PARTIALLY_FILLED'), eb('cancel_reason', 'is', null)]),
      ]),
    )
}

/** Ids of payments whose time is up, oldest first. */
export async function listExpired(ctx: Context, limit: number): Promise<bigint[]> {
  const rows = await expired(ctx).orderBy('expires_at').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Locks those of these payments whose time is still up, skipping rows locked by others; ids ascending. */
export async function lockExpired(ctx: Context, ids: readonly bigint[]): Promise<bigint[]> {
  if (ids.length === 0) return []
  const rows = await expired(ctx)
    .where('id', 'in', [...ids])
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1))
}

/** Moves the end of a payment and of its rate lock. */
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

/** Moves the end of a payment that waits for money to a later time; false when it has ended, or ends later already. */
export async function moveLater(ctx: Context, id: bigint, expiresAt: Date): Promise<boolean> {
  const now = ctx.now()
  const row = await tables(ctx)
    .updateTable('payments')
    .set({ expires_at: expiresAt, updated_at: now })
    .where('id', '=', id)
    .where('status', 'in', WAITING_STATES)
    .where('cancel_reason', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<', expiresAt)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

type Claim = { readonly projectId: number; readonly invoiceId: string; readonly paymentId: bigint }

/**
 * Claims an invoice id for a payment; false when another payment that is not cancelled holds it. Of two callers at once
 * the primary key lets one through: the other waits for its commit, and reads what it wrote in a statement of its own.
 */
export async function claimInvoice(ctx: Context, { projectId, invoiceId, paymentId }: Claim): Promise<boolean> {
  const inserted = await tables(ctx)
    .insertInto('invoice_claims')
    .values({ project_id: projectId, invoice_id: invoiceId, payment_id: paymentId })
    .onConflict((conflict) => conflict.columns(['project_id', 'invoice_id']).doNothing())
    .returning('payment_id')
    .executeTakeFirst()
  if (inserted) return true
  const taken = await tables(ctx)
    .updateTable('invoice_claims as claim')
    .set({ payment_id: paymentId })
    .where('claim.project_id', '=', projectId)
    .where('claim.invoice_id', '=', invoiceId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('payments as holder')
          .select('holder.id')
          .whereRef('holder.id', '=', 'claim.payment_id')
          .where('holder.status', '=', 'CANCELLED'),
      ),
    )
    .returning('claim.payment_id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Whether a payment that is not cancelled has this invoice id. */
export async function hasLiveInvoice(ctx: Context, projectId: number, invoiceId: string): Promise<boolean> {
  const row = await tables(ctx)
    .selectFrom('payments')
    .select('id')
    .where('project_id', '=', projectId)
    .where('invoice_id', '=', invoiceId)
    .where('status', '<>', 'CANCELLED')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
