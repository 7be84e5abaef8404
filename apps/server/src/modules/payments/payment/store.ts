import { PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { Acceptance, Payment, Resolved, PinnedQuote } from './payment.ts'
import { usdOf } from '@kassa/primitives/money/usd.ts'
import type { PaymentReads, PaymentTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PaymentTables & PaymentReads>()

/** Finds a payment by its reference id; any text may be asked for. */
export async function findPayment(ctx: Context, reference: string): Promise<Payment | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(reference)) return undefined
  const row = await select(ctx).where('payment.reference_id', '=', reference).executeTakeFirst()
  return row && fromRow(row)
}

/** The reference of a payment. */
export async function findReference(ctx: Context, id: bigint): Promise<string | undefined> {
  const row = await tables(ctx).selectFrom('payments').select('reference_id').where('id', '=', id).executeTakeFirst()
  return row?.reference_id
}

/** Finds a payment by id and keeps others from changing it until the transaction ends. */
export async function lockPayment(ctx: Context, id: bigint): Promise<Payment | undefined> {
  const [payment] = await lockPayments(ctx, [id])
  return payment
}

/**
 * Locks payments by id, in one order, so that two callers cannot deadlock; `wanted` is their ids, or SQL of an array of ids.
 * The lock is a statement of its own: a statement that waits for a lock would see the row as it is now, and joined rows as they
 * were before.
 */
export async function lockPayments(ctx: Context, wanted: readonly bigint[] | RawBuilder<unknown>): Promise<Payment[]> {
  if ('length' in wanted && wanted.length === 0) return []
  const ids = 'length' in wanted ? sql`${wanted}::bigint[]` : wanted
  const locked = await sql<{ id: bigint }>`
    SELECT id FROM payments WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE`.execute(ctx.db)
  return listPayments(
    ctx,
    locked.rows.map(({ id }) => id),
  )
}

/** Finds payments, by id. */
export async function listPayments(ctx: Context, ids: readonly bigint[]): Promise<Payment[]> {
  if (ids.length === 0) return []
  // One parameter however many ids: a statement takes 65,535.
  const isWanted = sql<bigint>`ANY(${ids}::bigint[])`
  const rows = await select(ctx).where('payment.id', '=', isWanted).orderBy('payment.id').execute()
  return rows.map(fromRow)
}

/** Lists the newest payments of customers that ended after a time, or have not ended. */
export async function listOpenSince(
  ctx: Context,
  customerIds: readonly number[],
  since: Date,
  limit: number,
): Promise<{ reference: string; projectId: number }[]> {
  const rows = await tables(ctx)
    .selectFrom('payments')
    .select(['reference_id', 'project_id'])
    .where('customer_id', '=', sql<number>`ANY(${[...customerIds]}::int[])`)
    .where('expires_at', '>', since)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ reference: row.reference_id, projectId: row.project_id }))
}

/** How far each blockchain was read, by its id. */
export async function listTips(ctx: Context): Promise<Map<number, number>> {
  const rows = await tables(ctx).selectFrom('chain_cursors').select(['blockchain_id', 'height']).execute()
  return new Map(rows.map((row) => [row.blockchain_id, Number(row.height)]))
}

function select(ctx: Context) {
  return tables(ctx)
    .selectFrom('payments as payment')
    .innerJoin('projects as project', 'project.id', 'payment.project_id')
    .innerJoin('customers as customer', 'customer.id', 'payment.customer_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('quotes as quote')
          .innerJoin('assets as asset', 'asset.id', 'quote.asset_id')
          .innerJoin('blockchains as chain', 'chain.id', 'asset.blockchain_id')
          .innerJoin('addresses as address', 'address.id', 'quote.address_id')
          .whereRef('quote.id', '=', 'payment.quote_id')
          // Planned on its own: over all seven tables at once the planner takes longer than reading them does.
          .offset(0)
          .select(['quote.price_usd', 'quote.quoted_at', 'address.address as deposit_address'])
          .select(['address.wallet_id', 'address.family_id', 'address.derivation_index'])
          .select(['asset.blockchain_id', 'chain.code as blockchain_code', 'asset.currency_code'])
          .select(['asset.address as asset_address', 'asset.decimals', 'asset.is_stable'])
          .as('pinned'),
      (join) => join.onTrue(),
    )
    .selectAll('payment')
    .select([
      'project.name as project_name',
      'project.success_endpoint',
      'project.cancel_endpoint',
      'project.support_email',
      'customer.customer_id as merchant_customer_id',
      'customer.email',
    ])
    .select(QUOTE_COLUMNS)
}

const QUOTE_COLUMNS = [
  'price_usd',
  'quoted_at',
  'deposit_address',
  'wallet_id',
  'family_id',
  'derivation_index',
  'blockchain_id',
  'blockchain_code',
  'currency_code',
  'asset_address',
  'decimals',
  'is_stable',
] as const

type PaymentRow = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]
type PinnedRow = PaymentRow & {
  [Column in (typeof QUOTE_COLUMNS)[number] | 'quote_id' | 'asset_id']: NonNullable<PaymentRow[Column]>
}

/** A payment has all columns of a quote, or none. */
function isPinnedRow(row: PaymentRow): row is PinnedRow {
  return row.quote_id !== null
}

function fromRow(row: PaymentRow): Payment {
  return {
    id: row.id,
    reference: row.reference_id,
    invoiceId: row.invoice_id || row.reference_id,
    amountUsd: usdOf(row.amount_usd),
    status: row.status,
    fundingState: row.funding_state,
    cancelReason: row.cancel_reason,
    late: row.late,
    createdBy: row.created_by,
    seenUnits: BigInt(row.seen_units),
    filledUnits: BigInt(row.filled_units),
    overUnits: BigInt(row.over_units),
    acceptance: acceptanceOf(row),
    resolved: resolvedOf(row),
    supersededBy: row.superseded_by,
    filledUsd: usdOf(row.filled_usd),
    description: row.description,
    metadata: row.metadata,
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    rateLockedUntil: row.rate_locked_until,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    quote: isPinnedRow(row) ? quoteOf(row) : null,
    project: {
      id: row.project_id,
      name: row.project_name,
      successEndpoint: row.success_endpoint,
      cancelEndpoint: row.cancel_endpoint,
      supportEmail: row.support_email,
    },
    customer: { id: row.customer_id, customerId: row.merchant_customer_id, email: row.email },
  }
}

function acceptanceOf({ accepted_units: units, accepted_at: at, ...row }: PaymentRow): Acceptance | null {
  if (units === null || at === null) return null
  return { leastUnits: BigInt(units), at, by: row.accepted_by ?? '', note: row.accepted_note ?? '' }
}

function resolvedOf({ resolved_at: at, ...row }: PaymentRow): Resolved | null {
  return at && { at, by: row.resolved_by ?? '', note: row.resolved_note ?? '' }
}

function quoteOf(row: PinnedRow): PinnedQuote {
  return {
    quoteId: row.quote_id,
    dueUnits: BigInt(row.due_units ?? 0),
    price: parseUnits(row.price_usd, PRICE_DECIMALS),
    quotedAt: row.quoted_at,
    address: row.deposit_address,
    derivation: { walletId: row.wallet_id, familyId: row.family_id, index: row.derivation_index },
    asset: {
      id: row.asset_id,
      blockchainId: row.blockchain_id,
      blockchainCode: row.blockchain_code,
      currencyCode: row.currency_code,
      address: row.asset_address,
      decimals: row.decimals,
      isStable: row.is_stable,
    },
  }
}
