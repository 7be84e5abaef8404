import type { BigSerialId, Json } from '../../db/columns.ts'
import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'
import type { Context } from '../../context.ts'

type ReconciliationTables = {
  ledger_checks: {
    id: BigSerialId
    ok: boolean
    report: Json<object>
    at: Date
    through_entry: bigint
    full_at: Date | null
  }
}

const tables = (ctx: Context) => ctx.db.$extendTables<ReconciliationTables>()

/** A check as it is stored: in the shape that the wire shows. */
export type StoredCheck = Omit<BooksCheck, 'checkedAt'>

/** What a check covered: up to which entry, and when the last full check ran. */
export type Reach = { readonly through: bigint; readonly fullAt: Date }

/** Stores the result of a check. */
export async function insertLedgerCheck(
  ctx: Context,
  at: Date,
  report: StoredCheck,
  { through, fullAt }: Reach,
): Promise<void> {
  await tables(ctx)
    .insertInto('ledger_checks')
    .values({ at, ok: report.ok, report: JSON.stringify(report), through_entry: through, full_at: fullAt })
    .execute()
}

/** Finds what the last check covered; undefined when the ledger did not balance then, or was never checked completely. */
export async function findReach(ctx: Context): Promise<Reach | undefined> {
  const row = await lastRow(ctx)
  return row?.ok && row.full_at ? { through: row.through_entry, fullAt: row.full_at } : undefined
}

/** Finds the last check. */
export async function findLastLedgerCheck(
  ctx: Context,
): Promise<(StoredCheck & { readonly checkedAt: Date }) | undefined> {
  const row = await lastRow(ctx)
  return row && { ...(row.report as StoredCheck), checkedAt: row.at }
}

function lastRow(ctx: Context) {
  return tables(ctx).selectFrom('ledger_checks').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
}
