import { sql } from 'kysely'

import { type Context, inTransaction } from '../../context.ts'
import { type Account, ACCOUNTS, type Entry, type Reversal, takenFrom } from './rules.ts'

/** PostgreSQL's `check_violation` (Appendix A of its manual). */
const CHECK_VIOLATION = '23514'

/** The journal already holds an entry with this source: the event happened before. */
export class AlreadyPosted extends Error {
  constructor(source: string) {
    super(`The journal already holds ${source}`)
    this.name = 'AlreadyPosted'
  }
}

/** A guarded account would fall below zero; the database refused the entries. */
export class Overdrawn extends Error {
  constructor(sources: readonly string[], cause: unknown) {
    const [first = '', ...rest] = sources
    const named = rest.length === 0 ? `${first} takes` : `${first} and ${rest.length} more entries take`
    super(`${named} more from an account than it holds`, { cause })
    this.name = 'Overdrawn'
  }
}

/**
 * Writes entries with their lines, creating the accounts they name. The database moves the account totals once for all
 * of them.
 * @throws AlreadyPosted when the journal holds an entry with such a source: the transaction must be rolled back, because it
 * holds some of the entries
 * @throws Overdrawn when a guarded account would fall below zero
 */
export async function insertEntries(ctx: Context, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  await inTransaction(ctx, async (tx) => {
    const accounts = await ensureAccounts(
      tx,
      entries.flatMap(({ lines }) => lines.flatMap(({ debit, credit }) => [debit, credit])),
    )
    const written = await insertHeadsAndLines(tx, entries, accounts)
    await refuseBelowZero(tx, entries)
    const known = entries.find(({ source }) => !written.delete(source))
    if (known) throw new AlreadyPosted(known.source)
  })
}

/** Checks the accounts that the database does not guard; writing the entries has locked their rows. */
async function refuseBelowZero(ctx: Context, entries: readonly Entry[]): Promise<void> {
  const taken = takenFrom(entries)
  if (taken.length === 0) return
  if ((await listHeld(ctx, taken)).every((units) => units >= 0n)) return
  throw new Overdrawn(
    entries.map(({ source }) => source),
    null,
  )
}

/** Writes the entries whose sources are new, in the order given, with their lines; returns these sources. */
async function insertHeadsAndLines(
  ctx: Context,
  entries: readonly Entry[],
  accounts: ReadonlyMap<string, bigint>,
): Promise<Set<string>> {
  const idOf = (account: Account) => {
    const id = accounts.get(keyOf(account))
    if (id === undefined) throw new Error(`The account ${keyOf(account)} was not created`)
    return String(id)
  }
  const lines = entries.flatMap(({ source, lines: own }) =>
    own.map((line, at) => ({ ...line, source, number: at + 1 })),
  )
  const { rows } = await sql<{ source_key: string }>`
    WITH entry AS (
      INSERT INTO journal_entries (source_key, posting, project_id, blockchain_id, height)
      SELECT * FROM unnest(
        ${entries.map(({ source }) => source)}::text[], ${entries.map(({ posting }) => posting)}::text[],
        ${entries.map(({ projectId }) => projectId)}::int[], ${entries.map(({ at }) => at?.blockchainId ?? null)}::int[],
        ${entries.map(({ at }) => at?.height ?? null)}::bigint[])
      ON CONFLICT (source_key) DO NOTHING RETURNING id, source_key
    ), posted AS (
      INSERT INTO postings (entry_id, line, unit_id, debit_account, credit_account, units)
      SELECT entry.id, line, unit_id, debit_account, credit_account, units
      FROM unnest(
        ${lines.map(({ source }) => source)}::text[], ${lines.map(({ number }) => number)}::smallint[],
        ${lines.map(({ debit }) => debit.unitId)}::int[], ${lines.map(({ debit }) => idOf(debit))}::bigint[],
        ${lines.map(({ credit }) => idOf(credit))}::bigint[], ${lines.map(({ units }) => String(units))}::numeric[]
      ) AS input (source_key, line, unit_id, debit_account, credit_account, units) JOIN entry USING (source_key)
    )
    SELECT source_key FROM entry`
    .execute(ctx.db)
    .catch((error: unknown) => failWritten(entries, error))
  return new Set(rows.map((row) => row.source_key))
}

function failWritten(entries: readonly { readonly source: string }[], error: unknown): never {
  if (!isOverdraft(error)) throw error
  throw new Overdrawn(
    entries.map(({ source }) => source),
    error,
  )
}

/**
 * Writes the reversals of entries, in the order given.
 * @throws Overdrawn when a guarded account would fall below zero
 */
export async function insertReversals(ctx: Context, reversals: readonly Reversal[]): Promise<void> {
  if (reversals.length === 0) return
  await sql`
    WITH reversal AS (
      INSERT INTO journal_entries (source_key, posting, project_id, blockchain_id, height, reverses)
      SELECT input.source_key, input.posting, entry.project_id, entry.blockchain_id, entry.height, entry.id
      FROM unnest(
        ${reversals.map(({ id }) => String(id))}::bigint[], ${reversals.map(({ posting }) => posting)}::text[],
        ${reversals.map(({ source }) => source)}::text[]
      ) WITH ORDINALITY AS input (id, posting, source_key, n)
      JOIN journal_entries AS entry USING (id) ORDER BY n
      RETURNING id, reverses
    )
    INSERT INTO postings (entry_id, line, unit_id, debit_account, credit_account, units)
    SELECT reversal.id, line.line, line.unit_id, line.credit_account, line.debit_account, line.units
    FROM reversal JOIN postings AS line ON line.entry_id = reversal.reverses`
    .execute(ctx.db)
    .catch((error: unknown) => failWritten(reversals, error))
}

function isOverdraft(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === CHECK_VIOLATION && constraint === 'never_below_zero'
}

/**
 * Returns the ids of accounts and creates missing ones. Two transactions that create the same account wait for each other and
 * share it; only a second query sees what another transaction created meanwhile.
 */
async function ensureAccounts(ctx: Context, accounts: readonly Account[]): Promise<Map<string, bigint>> {
  const wanted = [...new Map(accounts.map((account) => [keyOf(account), account])).values()].toSorted((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  )
  const found = await findOrInsertAccounts(ctx, wanted)
  const missing = wanted.filter((account) => !found.has(keyOf(account)))
  return missing.length === 0 ? found : new Map([...found, ...(await findOrInsertAccounts(ctx, missing))])
}

type AccountRow = { id: bigint; kind: Account['kind']; unit_id: number; owner_key: Account['owner'] }

async function findOrInsertAccounts(ctx: Context, accounts: readonly Account[]): Promise<Map<string, bigint>> {
  const { rows } = await sql<AccountRow>`
    WITH wanted AS MATERIALIZED (
      SELECT * FROM unnest(
        ${accounts.map(({ kind }) => kind)}::text[], ${accounts.map(({ unitId }) => unitId)}::int[],
        ${accounts.map(({ owner }) => owner)}::text[], ${accounts.map(({ kind }) => ACCOUNTS[kind].side)}::text[],
        ${accounts.map(({ kind }) => ACCOUNTS[kind].guarded)}::boolean[]
      ) AS wanted (kind, unit_id, owner_key, side, guarded)
    ), found AS MATERIALIZED (
      SELECT account.id, kind, unit_id, owner_key FROM wanted JOIN accounts AS account USING (kind, unit_id, owner_key)
    ), made AS (
      INSERT INTO accounts (kind, unit_id, owner_key, side, guarded)
      SELECT * FROM wanted WHERE (kind, unit_id, owner_key) NOT IN (SELECT kind, unit_id, owner_key FROM found)
      ON CONFLICT (kind, unit_id, owner_key) DO NOTHING RETURNING id, kind, unit_id, owner_key
    )
    SELECT * FROM found UNION ALL SELECT * FROM made`.execute(ctx.db)
  return byKey(rows)
}

function byKey(rows: readonly AccountRow[]): Map<string, bigint> {
  return new Map(rows.map((row) => [keyOf({ kind: row.kind, unitId: row.unit_id, owner: row.owner_key }), row.id]))
}

function keyOf({ kind, unitId, owner }: Account): string {
  return `${kind} ${unitId} ${owner}`
}

/** Lists the balance of each account on its normal side, in the order given; an account without entries has 0. */
export async function listHeld(ctx: Context, accounts: readonly Account[]): Promise<bigint[]> {
  const { rows } = await sql<{ kind: Account['kind']; unit_id: number; owner_key: Account['owner']; units: string }>`
    SELECT account.kind, account.unit_id, account.owner_key,
      (CASE side WHEN 'D' THEN debits - credits ELSE credits - debits END)::text AS units
    FROM unnest(
      ${accounts.map(({ kind }) => kind)}::text[], ${accounts.map(({ unitId }) => unitId)}::int[],
      ${accounts.map(({ owner }) => owner)}::text[]
    ) AS wanted (kind, unit_id, owner_key) JOIN accounts AS account USING (kind, unit_id, owner_key)`.execute(ctx.db)
  const held = new Map(
    rows.map((row) => [keyOf({ kind: row.kind, unitId: row.unit_id, owner: row.owner_key }), BigInt(row.units)]),
  )
  return accounts.map((account) => held.get(keyOf(account)) ?? 0n)
}
