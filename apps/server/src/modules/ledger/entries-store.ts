import { uuid } from '@kassa/contract/kit/codecs.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../context.ts'

/** The projects whose journal is read. */
export type ProjectIds = readonly number[] | 'every'

export type EntryFilter = {
  readonly projectIds: ProjectIds
  readonly account?: string | undefined
  readonly referenceId?: string | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

export type EntryLine = { readonly entryId: bigint; readonly line: number; readonly assetId: number } & {
  readonly debit: string
  readonly credit: string
  readonly units: bigint
}

export type ListedEntry = {
  readonly id: bigint
  readonly at: Date
  readonly posting: string
  readonly source: string
  readonly projectId: number | null
  readonly lines: readonly EntryLine[]
}

type Slice = { readonly limit: number; readonly offset: number; readonly beforeId?: bigint; readonly afterId?: bigint }

/** Lists entries, newest first; before an id when the slice names one, or after one, oldest first. */
export async function listEntryPage(ctx: Context, filter: EntryFilter, slice: Slice): Promise<ListedEntry[]> {
  const { beforeId, afterId, limit, offset } = slice
  const { rows } = await sql<{ id: bigint; at: Date; posting: string; source: string; project_id: number | null }>`
    SELECT entry.id, entry.at, entry.posting, entry.source_key AS source, entry.project_id
    FROM journal_entries AS entry
    WHERE ${conditionOf(filter)}
      AND ${beforeId === undefined ? sql`true` : sql`entry.id < ${beforeId}`}
      AND ${afterId === undefined ? sql`true` : sql`entry.id > ${afterId}`}
    ORDER BY entry.id ${afterId === undefined ? sql`DESC` : sql`ASC`} LIMIT ${limit} OFFSET ${offset}`.execute(ctx.db)
  const lines = Map.groupBy(
    await listLines(
      ctx,
      rows.map(({ id }) => id),
    ),
    ({ entryId }) => entryId,
  )
  return rows.map(({ project_id: projectId, ...row }) => ({ ...row, projectId, lines: lines.get(row.id) ?? [] }))
}

/** Totals are counted up to here: nobody pages further, and counting millions of rows takes seconds. */
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

async function listLines(ctx: Context, entryIds: readonly bigint[]): Promise<EntryLine[]> {
  const { rows } = await sql<{
    entry_id: bigint
    line: number
    asset_id: number
    debit: string
    credit: string
    units: string
  }>`
    SELECT posting.entry_id, posting.line, posting.asset_id, debit.kind AS debit, credit.kind AS credit, posting.units
    FROM postings AS posting
    JOIN accounts AS debit ON debit.id = posting.debit_account
    JOIN accounts AS credit ON credit.id = posting.credit_account
    WHERE posting.entry_id = ANY (${entryIds.map(String)}::bigint[])
    ORDER BY posting.entry_id, posting.line`.execute(ctx.db)
  return rows.map((row) => ({
    entryId: row.entry_id,
    line: row.line,
    assetId: row.asset_id,
    debit: row.debit,
    credit: row.credit,
    units: BigInt(row.units),
  }))
}

function conditionOf({ projectIds, account, referenceId, from, to }: EntryFilter): RawBuilder<boolean> {
  const parts: RawBuilder<unknown>[] = [
    projectIds === 'every' ? sql`true` : sql`entry.project_id = ANY (${projectIds}::int[])`,
    ...(from ? [sql`entry.at >= ${from}`] : []),
    ...(to ? [sql`entry.at <= ${to}`] : []),
    ...(account ? [touches(account)] : []),
    ...(referenceId ? [isOfPayment(referenceId)] : []),
  ]
  return sql<boolean>`${sql.join(parts, sql` AND `)}`
}

function touches(account: string): RawBuilder<unknown> {
  return sql`EXISTS (
    SELECT FROM postings AS posting JOIN accounts AS account ON account.id IN (posting.debit_account, posting.credit_account)
    WHERE posting.entry_id = entry.id AND account.kind = ${account})`
}

/** Entries are keyed by their deposit, `deposit:<id>:<event>`: one range of the index for each. */
function isOfPayment(referenceId: string): RawBuilder<unknown> {
  if (!uuid.safeParse(referenceId).success) return sql`false`
  return sql`entry.id IN (
    SELECT keyed.id FROM payments AS payment
    JOIN deposits AS deposit ON deposit.payment_id = payment.id
    JOIN journal_entries AS keyed ON keyed.source_key >= ('deposit:' || deposit.id || ':') COLLATE "C"
      AND keyed.source_key < ('deposit:' || deposit.id || ';') COLLATE "C"
    WHERE payment.reference_id = ${referenceId}::uuid)`
}
