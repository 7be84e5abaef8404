import { type ExpressionBuilder, sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { PriceReads, PriceTables } from './tables.ts'

/** The next poll is never scheduled farther ahead than this. */
const LONGEST_WAIT_MS = 60_000

const tables = (ctx: Context) => ctx.db.$extendTables<PriceTables & PriceReads>()

/** Lists the prices set for the sandbox's source, by currency. */
export async function listSandboxPrices(ctx: Context): Promise<Map<string, string>> {
  const rows = await tables(ctx).selectFrom('sandbox_prices').select(['currency_code', 'price']).execute()
  return new Map(rows.map((row) => [row.currency_code, row.price]))
}

/** Sets what the sandbox's source reports about a currency, whatever text it is. */
export async function upsertSandboxPrice(ctx: Context, currencyCode: string, price: string): Promise<void> {
  await tables(ctx)
    .insertInto('sandbox_prices')
    .values({ currency_code: currencyCode, price, updated_at: ctx.now() })
    .onConflict((conflict) => conflict.column('currency_code').doUpdateSet({ price, updated_at: ctx.now() }))
    .execute()
}

/** Returns the sandbox's source to its own table. */
export async function deleteSandboxPrice(ctx: Context, currencyCode: string): Promise<void> {
  await tables(ctx).deleteFrom('sandbox_prices').where('currency_code', '=', currencyCode).execute()
}

/** Takes the poll and schedules the next; false when it is not due, or another process was first. */
export async function movePoll(ctx: Context, next: Date): Promise<boolean> {
  const now = ctx.now()
  const moved = await tables(ctx)
    .updateTable('price_polls')
    .set({ next_at: next })
    // A time far ahead was set by a clock that has been corrected since.
    .where((eb) => eb.or([eb('next_at', '<=', now), eb('next_at', '>', new Date(now.getTime() + LONGEST_WAIT_MS))]))
    .returning('only_row')
    .executeTakeFirst()
  return moved !== undefined
}

/** A currency that active blockchains carry, and whether any project accepts it. */
export type PricedCurrency = { readonly code: string; readonly isStable: boolean; readonly isAccepted: boolean }

/** Lists the currencies a price is needed for. */
export async function listPricedCurrencies(ctx: Context): Promise<PricedCurrency[]> {
  const rows = await tables(ctx)
    .selectFrom('assets as asset')
    .innerJoin('blockchains as chain', 'chain.id', 'asset.blockchain_id')
    .leftJoin('project_assets as accepted', 'accepted.asset_id', 'asset.id')
    .where('chain.status', '=', 'active')
    .groupBy('asset.currency_code')
    .orderBy('asset.currency_code')
    .select(({ fn }) => [
      'asset.currency_code as code',
      fn<boolean>('bool_or', ['asset.is_stable']).as('isStable'),
      sql<boolean>`count(accepted.asset_id) > 0`.as('isAccepted'),
    ])
    .execute()
  return rows
}

export type StoredReading = {
  readonly currencyCode: string
  readonly source: string
  readonly price: string
  readonly sourceAt: Date
  readonly askedAt: Date
}

/** No request takes longer: a time farther ahead was noted by a clock that has been corrected since. */
const LONGEST_REQUEST_MS = 60_000

/** Whether a stored report may be replaced by one that was asked for at the excluded row's time. */
function isOlder(
  ctx: Context,
  eb: ExpressionBuilder<PriceTables & { excluded: PriceTables['price_readings'] }, 'price_readings' | 'excluded'>,
) {
  const latest = new Date(ctx.now().getTime() + LONGEST_REQUEST_MS)
  const stored = 'price_readings.asked_at'
  return eb.or([eb(stored, '<=', eb.ref('excluded.asked_at')), eb(stored, '>', latest)])
}

/** Stores what sources reported; an older answer never replaces a newer one. */
export async function upsertReadings(ctx: Context, readings: readonly StoredReading[]): Promise<void> {
  if (readings.length === 0) return
  const rows = readings.map(({ currencyCode, source, price, sourceAt, askedAt }) => {
    return { currency_code: currencyCode, source, price, source_at: sourceAt, asked_at: askedAt, failure: null }
  })
  await tables(ctx)
    .insertInto('price_readings')
    .values(rows.toSorted(byKey))
    .onConflict((conflict) =>
      conflict
        .columns(['currency_code', 'source'])
        .doUpdateSet((eb) => ({
          price: eb.ref('excluded.price'),
          source_at: eb.ref('excluded.source_at'),
          asked_at: eb.ref('excluded.asked_at'),
          failure: null,
        }))
        .where((eb) => isOlder(ctx, eb)),
    )
    .execute()
}

export type FailedReading = Pick<StoredReading, 'currencyCode' | 'source' | 'askedAt'> & { readonly failure: string }

/** Stores why sources failed; their former report stays until it is too old. */
export async function upsertFailures(ctx: Context, failures: readonly FailedReading[]): Promise<void> {
  if (failures.length === 0) return
  const rows = failures.map(({ currencyCode, source, askedAt, failure }) => {
    return { currency_code: currencyCode, source, price: '', source_at: askedAt, asked_at: askedAt, failure }
  })
  await tables(ctx)
    .insertInto('price_readings')
    .values(rows.toSorted(byKey))
    .onConflict((conflict) =>
      conflict
        .columns(['currency_code', 'source'])
        .doUpdateSet((eb) => ({ asked_at: eb.ref('excluded.asked_at'), failure: eb.ref('excluded.failure') }))
        .where((eb) => isOlder(ctx, eb)),
    )
    .execute()
}

/** Sorts rows into one order, so that two processes wait for each other instead of deadlocking. */
function byKey(a: { currency_code: string; source?: string }, b: { currency_code: string; source?: string }): number {
  return `${a.currency_code} ${a.source ?? ''}` < `${b.currency_code} ${b.source ?? ''}` ? -1 : 1
}

/** What each source reported last, with the last trustworthy price. */
export async function listReadings(ctx: Context) {
  return tables(ctx)
    .selectFrom('price_readings as reading')
    .leftJoin('last_prices as last', 'last.currency_code', 'reading.currency_code')
    .select([
      'reading.currency_code as currencyCode',
      'reading.source as name',
      'reading.price',
      'reading.source_at as at',
      'reading.asked_at as askedAt',
      'reading.failure',
      'last.price as lastPrice',
      'last.priced_at as lastAt',
    ])
    .orderBy('reading.currency_code')
    .orderBy('reading.source')
    .execute()
}

/** The decision about a currency; the price is null when there is no trustworthy one. */
export type Decision = { readonly currencyCode: string; readonly price: string | null; readonly at: Date | null }

/** Stores the last price of each currency; returns since when those without one have had none. */
export async function upsertLastPrices(ctx: Context, decisions: readonly Decision[]): Promise<Map<string, Date>> {
  if (decisions.length === 0) return new Map()
  const now = ctx.now()
  const rows = decisions.map(({ currencyCode, price, at }) => {
    return { currency_code: currencyCode, price, priced_at: at, missing_since: price === null ? now : null }
  })
  const stored = await tables(ctx)
    .insertInto('last_prices')
    .values(rows.toSorted(byKey))
    .onConflict((conflict) =>
      conflict.column('currency_code').doUpdateSet({
        price: sql<string>`coalesce(excluded.price, last_prices.price)`,
        priced_at: sql<Date>`coalesce(excluded.priced_at, last_prices.priced_at)`,
        missing_since: sql<Date>`CASE WHEN excluded.price IS NULL
          THEN least(last_prices.missing_since, excluded.missing_since) END`,
      }),
    )
    .returning(['currency_code', 'missing_since'])
    .execute()
  return new Map(stored.flatMap((row) => (row.missing_since ? [[row.currency_code, row.missing_since]] : [])))
}

/** When each currency had its last price. */
export async function listPricedAt(ctx: Context): Promise<{ code: string; at: Date | null }[]> {
  return tables(ctx).selectFrom('last_prices').select(['currency_code as code', 'priced_at as at']).execute()
}

/** Stores the prices of this minute; the first of a minute stays. */
export async function insertHistory(
  ctx: Context,
  prices: readonly { readonly currencyCode: string; readonly price: string }[],
): Promise<void> {
  if (prices.length === 0) return
  const at = sql<Date>`date_trunc('minute', ${ctx.now()}::timestamptz)`
  await tables(ctx)
    .insertInto('price_history')
    .values(prices.map(({ currencyCode, price }) => ({ currency_code: currencyCode, at, price })).toSorted(byKey))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Finds the stored price nearest to a time, at most so far from it. */
export async function findNearestPrice(
  ctx: Context,
  currencyCode: string,
  { moment, withinMs }: { moment: Date; withinMs: number },
): Promise<{ price: string; at: Date } | undefined> {
  return tables(ctx)
    .selectFrom('price_history')
    .select(['price', 'at'])
    .where('currency_code', '=', currencyCode)
    .where('at', '>=', new Date(moment.getTime() - withinMs))
    .where('at', '<=', new Date(moment.getTime() + withinMs))
    .orderBy(sql`abs(extract(epoch FROM at - ${moment}::timestamptz))`)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
}

/** Deletes prices older than this. */
export async function deleteHistory(ctx: Context, before: Date): Promise<void> {
  await tables(ctx).deleteFrom('price_history').where('at', '<', before).execute()
}
