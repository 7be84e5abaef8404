import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../context.ts'
import type { Account, Reversal, StoredEntry, Unit } from './rules.ts'
import type { LedgerTables } from './tables.ts'

export type EntryFilter = {
  readonly projectIds: ProjectScope['projectIds']
  /** Entries that touch an account of this kind. */
  readonly account?: string | undefined
  /** Entries whose source starts with one of these texts. */
  readonly sources?: readonly string[] | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

type Slice = { readonly limit: number; readonly offset: number; readonly beforeId?: bigint; readonly afterId?: bigint }

/** Lists entries, newest first; before an id when the slice names one, or after one, oldest first. */
export function listEntryPage(ctx: Context, filter: EntryFilter, slice: Slice): Promise<StoredEntry[]> {
  const { beforeId, afterId, limit, offset } = slice
  const order = afterId === undefined ? sql`DESC` : sql`ASC`
  return selectEntries(
    ctx,
    sql`
    SELECT entry.* FROM journal_entries AS entry
    WHERE ${conditionOf(filter)}
      AND ${beforeId === undefined ? sql`true` : sql`entry.id < ${beforeId}`}
      AND ${afterId === undefined ? sql`true` : sql`entry.id > ${afterId}`}
    ORDER BY entry.id ${order} LIMIT ${limit} OFFSET ${offset}`,
    order,
  )
}

/** Totals are counted up to here; no page goes further, and counting millions of rows takes seconds. */
const MOST_COUNTED = 10_000

/** Counts the entries of a filter, at most `MOST_COUNTED` of them. */
export async function countEntries(ctx: Context, filter: EntryFilter): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) AS count FROM (
      SELECT FROM journal_entries AS entry WHERE ${conditionOf(filter)} LIMIT ${MOST_COUNTED}) AS counted`.execute(
    ctx.db,
  )
  return Number(rows[0]?.count ?? 0n)
}

/** Lists entries whose source starts with one of these texts, in the order they were written. */
export function listEntries(ctx: Context, sources: readonly string[]): Promise<StoredEntry[]> {
  return selectEntries(ctx, sql`SELECT entry.* FROM journal_entries AS entry WHERE ${startsWith(sources)}`, sql`ASC`)
}

/**
 * Lists the entries whose source starts with one of these texts, that are no reversals and have none: text by text, newest
 * first.
 */
export async function listUnreversed(ctx: Context, sources: readonly string[]): Promise<Reversal[]> {
  type Found = { id: bigint; source: string; posting: string; reverses: bigint | null }
  const { rows } = await sql<Found>`SELECT * FROM (${below(sources)}) AS found ORDER BY n, id DESC`.execute(ctx.db)
  const reversed = new Set(rows.map((row) => row.reverses))
  return rows
    .filter((row) => row.reverses === null && !reversed.has(row.id))
    .map(({ id, posting, source }) => ({ id, posting, source }))
}

function conditionOf({ projectIds, account, sources, from, to }: EntryFilter): RawBuilder<boolean> {
  const parts: RawBuilder<unknown>[] = [
    projectIds === 'every' ? sql`true` : sql`entry.project_id = ANY (${projectIds}::int[])`,
    ...(from ? [sql`entry.at >= ${from}`] : []),
    ...(to ? [sql`entry.at <= ${to}`] : []),
    ...(account ? [touches(account)] : []),
    ...(sources ? [startsWith(sources)] : []),
  ]
  return sql<boolean>`${sql.join(parts, sql` AND `)}`
}

function touches(account: string): RawBuilder<unknown> {
  return sql`EXISTS (
    SELECT FROM postings AS posting JOIN accounts AS account ON account.id IN (posting.debit_account, posting.credit_account)
    WHERE posting.entry_id = entry.id AND account.kind = ${account})`
}

function startsWith(sources: readonly string[]): RawBuilder<unknown> {
  return sql`entry.id IN (SELECT id FROM (${below(sources)}) AS found)`
}

/**
 * Selects ids and sources of the entries whose source starts with each text: one index range per text, which `LIKE ANY` would
 * not use.
 */
function below(sources: readonly string[]): RawBuilder<unknown> {
  return sql`
    SELECT found.* FROM unnest(${sources}::text[], ${sources.map(after)}::text[]) WITH ORDINALITY AS wanted (first, after, n)
    CROSS JOIN LATERAL (
      SELECT id, source_key AS source, posting, reverses, wanted.n FROM journal_entries
      WHERE source_key >= wanted.first COLLATE "C" AND source_key < wanted.after COLLATE "C"
    ) AS found`
}

/** The first text that sorts, byte by byte, after everything that starts with this one: the end of an index range. */
function after(text: string): string {
  return text.slice(0, -1) + String.fromCodePoint((text.codePointAt(text.length - 1) ?? 0) + 1)
}

type EntryRow = {
  id: bigint
  source_key: string
  posting: string
  project_id: number | null
  blockchain_id: number | null
  height: bigint | null
  reverses: bigint | null
  at: Date
  lines:
    | {
        debit: Account['kind']
        debit_owner: Account['owner']
        credit: Account['kind']
        credit_owner: Account['owner']
        unit_id: number
        units: string
      }[]
    | null
}

/** Reads the entries that a statement selects, with their lines in order. */
async function selectEntries(
  ctx: Context,
  entries: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<StoredEntry[]> {
  const units = await listUnits(ctx)
  const { rows } = await sql<EntryRow>`
    SELECT entry.*, lines FROM (${entries}) AS entry, LATERAL (
      SELECT json_agg(json_build_object(
        'debit', debit.kind, 'debit_owner', debit.owner_key, 'credit', credit.kind, 'credit_owner', credit.owner_key,
        'unit_id', posting.unit_id, 'units', posting.units::text) ORDER BY line) AS lines
      FROM postings AS posting
      JOIN accounts AS debit ON debit.id = posting.debit_account
      JOIN accounts AS credit ON credit.id = posting.credit_account
      WHERE posting.entry_id = entry.id
    ) AS written
    ORDER BY entry.id ${order}`.execute(ctx.db)
  return rows.map((row) => ({
    id: row.id,
    source: row.source_key,
    posting: row.posting,
    projectId: row.project_id,
    at:
      row.blockchain_id === null || row.height === null
        ? null
        : { blockchainId: row.blockchain_id, height: Number(row.height) },
    reverses: row.reverses,
    postedAt: row.at,
    lines: (row.lines ?? []).map(({ unit_id: unitId, ...line }) => ({
      debit: { kind: line.debit, owner: line.debit_owner, unitId },
      credit: { kind: line.credit, owner: line.credit_owner, unitId },
      units: BigInt(line.units),
      unit: unitIn(units, unitId),
    })),
  }))
}

export type Units = ReadonlyMap<number, Unit>

/** Lists the units of account, by id. The database opens one with each asset (migration 0028). */
export async function listUnits(ctx: Context): Promise<Units> {
  const rows = await ctx.db.$extendTables<LedgerTables>().selectFrom('units').selectAll().execute()
  return new Map(
    rows.map(({ id, asset_id, blockchain_code, currency_code, decimals }) => [
      id,
      { id, assetId: asset_id, blockchainCode: blockchain_code, currencyCode: currency_code, decimals },
    ]),
  )
}

/** The unit of this id. @throws Error when there is none: the database refuses amounts in such a unit */
export function unitIn(units: Units, id: number): Unit {
  const unit = units.get(id)
  if (!unit) throw new Error(`There is no unit of account ${id}`)
  return unit
}
