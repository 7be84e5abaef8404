import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../context.ts'
import { ACCOUNTS, type AccountKind, type AccountRef, type StoredEntry, type WrittenEntry } from './rules.ts'

/** PostgreSQL's `check_violation` (Appendix A of its manual). */
const CHECK_VIOLATION = '23514'

/** The journal already holds an entry with this source key: the event happened before. */
export class AlreadyPosted extends Error {
  readonly sourceKey: string

  constructor(sourceKey: string) {
    super(`The journal already holds ${sourceKey}`)
    this.name = 'AlreadyPosted'
    this.sourceKey = sourceKey
  }
}

/** A guarded account would fall below zero; the database refused the entry. */
export class Overdrawn extends Error {
  constructor(sourceKey: string, cause: unknown) {
    super(`${sourceKey} takes more from an account than it holds`, { cause })
    this.name = 'Overdrawn'
  }
}

/**
 * Writes an entry with its lines, creating the accounts it names; returns its id. The database moves the account totals.
 * @throws AlreadyPosted when the source key exists, leaving the transaction usable
 * @throws Overdrawn when a guarded account would fall below zero
 */
export async function insertEntry(ctx: Context, entry: WrittenEntry): Promise<bigint> {
  const refs = entry.lines.flatMap(({ debit, credit }) => [debit, credit])
  const ids = await ensureAccounts(ctx, refs)
  const account = (ref: AccountRef) => {
    const id = ids.get(keyOf(ref))
    if (id === undefined) throw new Error(`The account ${keyOf(ref)} was not created`)
    return id
  }
  const lines = entry.lines.map(({ debit, credit, units }) => ({
    assetId: debit.assetId,
    debit: account(debit),
    credit: account(credit),
    units,
  }))
  const { rows } = await sql<{ entry_id: bigint }>`
    WITH entry AS (
      INSERT INTO journal_entries (source_key, posting, project_id, blockchain_id, height, reverses)
      VALUES (${entry.sourceKey}, ${entry.posting}, ${entry.projectId}, ${entry.blockchainId}, ${entry.height}, ${entry.reverses})
      ON CONFLICT (source_key) DO NOTHING RETURNING id
    )
    INSERT INTO postings (entry_id, line, asset_id, debit_account, credit_account, units)
    SELECT entry.id, line, asset_id, debit, credit, units
    FROM entry, unnest(
      ${lines.map((line) => line.assetId)}::int[], ${texts(lines.map((line) => line.debit))}::bigint[],
      ${texts(lines.map((line) => line.credit))}::bigint[], ${texts(lines.map((line) => line.units))}::numeric[]
    ) WITH ORDINALITY AS given (asset_id, debit, credit, units, line)
    RETURNING entry_id`
    .execute(ctx.db)
    .catch((error: unknown) => {
      if (isOverdraft(error)) throw new Overdrawn(entry.sourceKey, error)
      throw error
    })
  const [first] = rows
  if (!first) throw new AlreadyPosted(entry.sourceKey)
  return first.entry_id
}

function isOverdraft(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === CHECK_VIOLATION && constraint === 'never_below_zero'
}

/** Ids of the accounts; missing ones are made. Two transactions that make the same one wait for each other and share it. */
async function ensureAccounts(ctx: Context, refs: readonly AccountRef[]): Promise<Map<string, bigint>> {
  const wanted = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()].toSorted((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  )
  const found = await findAccounts(ctx, wanted)
  const missing = wanted.filter((ref) => !found.has(keyOf(ref)))
  if (missing.length === 0) return found
  await sql`
    INSERT INTO accounts (kind, asset_id, owner_key, side, guarded)
    SELECT * FROM unnest(
      ${missing.map((ref) => ref.kind)}::text[], ${missing.map((ref) => ref.assetId)}::int[],
      ${missing.map((ref) => ref.ownerKey)}::text[], ${missing.map((ref) => ACCOUNTS[ref.kind].side)}::text[],
      ${missing.map((ref) => ACCOUNTS[ref.kind].guarded)}::boolean[])
    ON CONFLICT (kind, asset_id, owner_key) DO NOTHING`.execute(ctx.db)
  return findAccounts(ctx, wanted)
}

async function findAccounts(ctx: Context, refs: readonly AccountRef[]): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ id: bigint; kind: AccountKind; asset_id: number; owner_key: string }>`
    SELECT id, kind, asset_id, owner_key FROM accounts
    JOIN unnest(
      ${refs.map((ref) => ref.kind)}::text[], ${refs.map((ref) => ref.assetId)}::int[],
      ${refs.map((ref) => ref.ownerKey)}::text[]
    ) AS wanted (kind, asset_id, owner_key) USING (kind, asset_id, owner_key)`.execute(ctx.db)
  return new Map(rows.map((row) => [keyOf({ kind: row.kind, assetId: row.asset_id, ownerKey: row.owner_key }), row.id]))
}

function keyOf({ kind, assetId, ownerKey }: AccountRef): string {
  return `${kind} ${assetId} ${ownerKey}`
}

function texts(values: readonly bigint[]): string[] {
  return values.map(String)
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
  lines: {
    debit: AccountKind
    debit_owner: string
    credit: AccountKind
    credit_owner: string
    asset_id: number
    units: string
  }[]
}

/** Entries whose source key starts with one of the prefixes, in the order they were written. */
export function listEntries(ctx: Context, prefixes: readonly string[]): Promise<StoredEntry[]> {
  const starts = prefixes.map((prefix) => `${prefix.replace(/[\\%_]/g, '\\$&')}%`)
  return selectEntries(ctx, sql`entry.source_key LIKE ANY (${starts}::text[])`)
}

/** The entry of a source key, or undefined. */
export async function findEntry(ctx: Context, sourceKey: string): Promise<StoredEntry | undefined> {
  const [entry] = await selectEntries(ctx, sql`entry.source_key = ${sourceKey}`)
  return entry
}

/** Entries below a prefix that neither reverse another nor are reversed, newest first. */
export async function listUnreversedEntries(ctx: Context, prefix: string): Promise<StoredEntry[]> {
  const entries = await listEntries(ctx, [prefix])
  const reversed = new Set(entries.map((entry) => entry.reverses))
  return entries.filter((entry) => entry.reverses === null && !reversed.has(entry.id)).toReversed()
}

async function selectEntries(ctx: Context, condition: RawBuilder<unknown>): Promise<StoredEntry[]> {
  const { rows } = await sql<EntryRow>`
    SELECT entry.*, lines FROM journal_entries AS entry, LATERAL (
      SELECT json_agg(json_build_object(
        'debit', debit.kind, 'debit_owner', debit.owner_key, 'credit', credit.kind, 'credit_owner', credit.owner_key,
        'asset_id', posting.asset_id, 'units', posting.units::text) ORDER BY line) AS lines
      FROM postings AS posting
      JOIN accounts AS debit ON debit.id = posting.debit_account
      JOIN accounts AS credit ON credit.id = posting.credit_account
      WHERE posting.entry_id = entry.id
    ) AS written
    WHERE ${condition} ORDER BY entry.id`.execute(ctx.db)
  return rows.map((row) => ({
    id: row.id,
    sourceKey: row.source_key,
    posting: row.posting,
    projectId: row.project_id,
    blockchainId: row.blockchain_id,
    height: row.height === null ? null : Number(row.height),
    reverses: row.reverses,
    at: row.at,
    lines: row.lines.map((line) => ({
      debit: { kind: line.debit, assetId: line.asset_id, ownerKey: line.debit_owner },
      credit: { kind: line.credit, assetId: line.asset_id, ownerKey: line.credit_owner },
      units: BigInt(line.units),
    })),
  }))
}
