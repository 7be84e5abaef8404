import { type PaymentState, paymentMachine } from '@kassa/contract/payments/machine.ts'
import { sourcesOf } from '@kassa/primitives/machine.ts'
import { USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { Payment } from './payment.ts'
import type { Funding } from './rules.ts'
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

/** Lets nobody else make or match payments of a customer until the transaction ends. */
export async function lockCustomer(ctx: Context, customerId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('payments of customer'), ${customerId})`.execute(ctx.db)
}

/** Lets nobody else use an invoice id in a project until the transaction ends. */
export async function lockInvoice(ctx: Context, projectId: number, invoiceId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${projectId}, hashtext(${invoiceId}))`.execute(ctx.db)
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

/** Ids of payments whose time is up and that the clock moves, oldest first, skipping those in other hands. */
export async function lockExpired(ctx: Context, limit: number): Promise<bigint[]> {
  const rows = await tables(ctx)
    .selectFrom('payments')
    .select('id')
    .where('expires_at', '<=', ctx.now())
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'OPEN'), eb('seen_units', '=', '0')]),
        eb.and([eb('status', '=', 'PARTIALLY_FILLED'), eb('cancel_reason', 'is', null)]),
      ]),
    )
    .orderBy('expires_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1))
}

/**
 * Moves a payment to what the facts made of it, in one statement that starts from the states that lead there.
 * @throws Error when it is in none of them: the caller did not hold its lock
 */
export async function moveFunded(
  ctx: Context,
  payment: Payment,
  funding: Funding & { readonly expiresAt: Date; readonly rateLockedUntil: Date | null },
): Promise<void> {
  const now = ctx.now()
  const from: PaymentState[] = [...sourcesOf(paymentMachine, funding.status), funding.status]
  const isFilled = funding.status === 'FILLED' || funding.status === 'OVER_FILLED'
  const row = await tables(ctx)
    .updateTable('payments')
    .set({
      status: funding.status,
      funding_state: funding.fundingState,
      cancel_reason: funding.cancelReason,
      late: funding.late,
      seen_units: funding.seenUnits,
      filled_units: funding.filledUnits,
      over_units: funding.overUnits,
      filled_usd: formatUnits(funding.filledUsd, USD_DECIMALS),
      expires_at: funding.expiresAt,
      rate_locked_until: funding.rateLockedUntil,
      filled_at: isFilled ? sql<Date>`coalesce(filled_at, ${now})` : null,
      ...(funding.seenUnits > 0n && { first_seen_at: sql<Date>`coalesce(first_seen_at, ${now})` }),
      updated_at: now,
    })
    .where('id', '=', payment.id)
    .where('status', 'in', from)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new Error(`Payment ${payment.reference} cannot become ${funding.status}`)
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

/** Ids of payments whose money on a blockchain is seen, not final, and deeper than its first block. */
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
        .where('height', '<', BigInt(tip)),
    )
    .execute()
}
