import { PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { QuoteRow } from '../payment/payment.ts'
import type { PaymentReads, PaymentTables } from '../payment/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PaymentTables & PaymentReads>()

export type NewQuote = {
  readonly paymentId: bigint
  readonly assetId: number
  readonly addressId: bigint
  /** Decimal text. */
  readonly price: string
  readonly dueUnits: bigint
  readonly lockedUntil: Date
  readonly evidence: QuoteRow['sources']
}

/** A source of the price as stored: the time is text, because JSON has no dates. */
type StoredEvidence = Omit<QuoteRow['sources'][number], 'at'> & { readonly at: string }

/** Inserts a quote; returns its id. */
export async function insertQuote(ctx: Context, quote: NewQuote): Promise<bigint> {
  const row = await tables(ctx)
    .insertInto('quotes')
    .values({
      payment_id: quote.paymentId,
      asset_id: quote.assetId,
      address_id: quote.addressId,
      price_usd: quote.price,
      due_units: quote.dueUnits,
      quoted_at: ctx.now(),
      locked_until: quote.lockedUntil,
      evidence: JSON.stringify(quote.evidence),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/**
 * Pins a payment to one of its quotes; false when it is no longer open, or a transfer was seen. Clears an accepted underpayment,
 * because that was an amount of the former asset at the former rate.
 */
export async function moveToQuote(ctx: Context, paymentId: bigint, quoteId: bigint): Promise<boolean> {
  const now = ctx.now()
  const { rows } = await sql<{ id: bigint }>`
    UPDATE payments SET asset_id = quote.asset_id, quote_id = quote.id, due_units = quote.due_units,
      rate_locked_until = quote.locked_until, accepted_units = NULL, accepted_at = NULL, accepted_by = NULL,
      accepted_note = NULL, updated_at = ${now}
    FROM quotes AS quote
    WHERE quote.id = ${quoteId} AND payments.id = ${paymentId} AND quote.payment_id = payments.id
      AND payments.status = 'OPEN' AND payments.seen_units = 0
      AND payments.funding_state <> 'detected'
    RETURNING payments.id`.execute(ctx.db)
  await tables(ctx)
    .updateTable('quotes')
    .set({ superseded_at: sql<Date | null>`CASE WHEN id = ${quoteId} THEN NULL ELSE ${now}::timestamptz END` })
    .where('payment_id', '=', paymentId)
    .where((eb) => eb.or([eb('superseded_at', 'is', null), eb('id', '=', quoteId)]))
    .execute()
  return rows.length > 0
}

/** Lists the quotes of a payment, oldest first. */
export async function listQuotes(ctx: Context, paymentId: bigint): Promise<QuoteRow[]> {
  const rows = await tables(ctx)
    .selectFrom('quotes')
    .innerJoin('assets', 'assets.id', 'quotes.asset_id')
    .innerJoin('blockchains', 'blockchains.id', 'assets.blockchain_id')
    .selectAll('quotes')
    .select(['currency_code', 'code', 'decimals'])
    .where('payment_id', '=', paymentId)
    .orderBy('quotes.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    assetId: row.asset_id,
    blockchainCode: row.code,
    currencyCode: row.currency_code,
    decimals: row.decimals,
    addressId: row.address_id,
    price: parseUnits(row.price_usd, PRICE_DECIMALS),
    dueUnits: BigInt(row.due_units),
    quotedAt: row.quoted_at,
    lockedUntil: row.locked_until,
    sources: (row.evidence as StoredEvidence[]).map((one) => ({ ...one, at: new Date(one.at) })),
  }))
}

/** How many of a project's newest payments decide which asset is used most. */
const RECENT = 500

/** The asset that most of a project's recent payments were paid with, or null. */
export async function findMostUsedAsset(ctx: Context, projectId: number): Promise<number | null> {
  const row = await tables(ctx)
    .selectFrom((eb) =>
      eb
        .selectFrom('payments')
        .select('asset_id')
        .where('project_id', '=', projectId)
        .where('status', 'in', ['FILLED', 'OVER_FILLED'])
        .orderBy('created_at', 'desc')
        .limit(RECENT)
        .as('recent'),
    )
    .select('asset_id')
    .groupBy('asset_id')
    .orderBy((eb) => eb.fn.countAll(), 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.asset_id ?? null
}
