import { type RawBuilder, sql } from 'kysely'

import { type Context, inTransaction } from '../../context.ts'
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

/** A guarded account would fall below zero; the database refused the entries. */
export class Overdrawn extends Error {
  constructor(sourceKeys: readonly string[], cause: unknown) {
    const [first = '', ...rest] = sourceKeys
    const named = rest.length === 0 ? `${first} takes` : `${first} and ${rest.length} more entries take`
    super(`${named} more from an account than it holds`, { cause })
    this.name = 'Overdrawn'
  }
}

/** Writes one entry and returns its id. @throws as `insertEntries`; AlreadyPosted leaves the transaction usable */
export async function insertEntry(ctx: Context, entry: WrittenEntry): Promise<bigint> {
  const [id] = await insertEntries(ctx, [entry])
  if (id === undefined) throw new Error(`${entry.sourceKey} was not written`)
  return id
}

/**
 * Writes entries with their lines, creating the accounts they name; returns their ids. The database moves the account
 * totals once for all of them.
 * @throws AlreadyPosted when a source key exists: the transaction must be given up, part of the entries stand in it
 * @throws Overdrawn when a guarded account would fall below zero
 */
export async function insertEntries(ctx: Context, entries: readonly WrittenEntry[]): Promise<bigint[]> {
  if (entries.length === 0) return []
  return inTransaction(ctx, async (tx) => {
    const accounts = await ensureAccounts(
      tx,
      entries.flatMap(({ lines }) => lines.flatMap(({ debit, credit }) => [debit, credit])),
    )
    const ids = await insertHeads(tx, entries)
    await insertLines(tx, entries, ids, accounts)
    return ids
  })
}

async function insertHeads(ctx: Context, entries: readonly WrittenEntry[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint; source_key: string }>`
    INSERT INTO journal_entries (source_key, posting, project_id, blockchain_id, height, reverses)
    SELECT * FROM unnest(
      ${entries.map((entry) => entry.sourceKey)}::text[], ${entries.map((entry) => entry.posting)}::text[],
      ${entries.map((entry) => entry.projectId)}::int[], ${entries.map((entry) => entry.blockchainId)}::int[],
      ${entries.map((entry) => entry.height)}::bigint[], ${entries.map((entry) => entry.reverses)}::bigint[])
    ON CONFLICT (source_key) DO NOTHING RETURNING id, source_key`.execute(ctx.db)
  const buildEntry = new Map(rows.map((row) => [row.source_key, row.id]))
  return entries.map(({ sourceKey }) => {
    const id = buildEntry.get(sourceKey)
    if (id === undefined) throw new AlreadyPosted(sourceKey)
    buildEntry.delete(sourceKey)
    return id
  })
}

async function insertLines(
  ctx: Context,
  entries: readonly WrittenEntry[],
  ids: readonly bigint[],
  accounts: ReadonlyMap<string, bigint>,
): Promise<void> {
  const idOf = (ref: AccountRef) => {
    const id = accounts.get(keyOf(ref))
    if (id === undefined) throw new Error(`The account ${keyOf(ref)} was not created`)
    return String(id)
  }
  const lines = entries.flatMap((entry, at) =>
    entry.lines.map((line, before) => ({ ...line, entryId: String(ids[at]), number: before + 1 })),
  )
  await sql`
    INSERT INTO postings (entry_id, line, asset_id, debit_account, credit_account, units)
    SELECT * FROM unnest(
      ${lines.map((line) => line.entryId)}::bigint[], ${lines.map((line) => line.number)}::smallint[],
      ${lines.map((line) => line.debit.assetId)}::int[], ${lines.map((line) => idOf(line.debit))}::bigint[],
      ${lines.map((line) => idOf(line.credit))}::bigint[], ${lines.map((line) => String(line.units))}::numeric[])`
    .execute(ctx.db)
    .catch((error: unknown) => failWritten(entries, error))
}

function failWritten(entries: readonly { readonly sourceKey: string }[], error: unknown): never {
  if (!isOverdraft(error)) throw error
  throw new Overdrawn(
    entries.map(({ sourceKey }) => sourceKey),
    error,
  )
}

/** An entry that is mirrored: what it is, and what its mirror is called. */
export type Mirroring = { readonly id: bigint; readonly posting: string; readonly sourceKey: string }

/**
 * Writes the mirrors of entries, in the order given. @throws Overdrawn when a guarded account would fall below zero
 */
export async function insertMirrors(ctx: Context, mirrorings: readonly Mirroring[]): Promise<void> {
  if (mirrorings.length === 0) return
  await sql`
    WITH mirror AS (
      INSERT INTO journal_entries (source_key, posting, project_id, blockchain_id, height, reverses)
      SELECT given.source_key, given.posting, entry.project_id, entry.blockchain_id, entry.height, entry.id
      FROM unnest(
        ${mirrorings.map(({ id }) => String(id))}::bigint[], ${mirrorings.map(({ posting }) => posting)}::text[],
        ${mirrorings.map(({ sourceKey }) => sourceKey)}::text[]
      ) WITH ORDINALITY AS given (id, posting, source_key, n)
      JOIN journal_entries AS entry USING (id) ORDER BY n
      RETURNING id, reverses
    )
    INSERT INTO postings (entry_id, line, asset_id, debit_account, credit_account, units)
    SELECT mirror.id, line.line, line.asset_id, line.credit_account, line.debit_account, line.units
    FROM mirror JOIN postings AS line ON line.entry_id = mirror.reverses`
    .execute(ctx.db)
    .catch((error: unknown) => failWritten(mirrorings, error))
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
  const made = await insertAccounts(ctx, missing)
  const others = missing.filter((ref) => !made.has(keyOf(ref)))
  return new Map([...found, ...made, ...(others.length > 0 ? await findAccounts(ctx, others) : [])])
}

type AccountRow = { id: bigint; kind: AccountKind; asset_id: number; owner_key: string }

async function insertAccounts(ctx: Context, refs: readonly AccountRef[]): Promise<Map<string, bigint>> {
  const { rows } = await sql<AccountRow>`
    INSERT INTO accounts (kind, asset_id, owner_key, side, guarded)
    SELECT * FROM unnest(
      ${refs.map((ref) => ref.kind)}::text[], ${refs.map((ref) => ref.assetId)}::int[],
      ${refs.map((ref) => ref.ownerKey)}::text[], ${refs.map((ref) => ACCOUNTS[ref.kind].side)}::text[],
      ${refs.map((ref) => ACCOUNTS[ref.kind].guarded)}::boolean[])
    ON CONFLICT (kind, asset_id, owner_key) DO NOTHING
    RETURNING id, kind, asset_id, owner_key`.execute(ctx.db)
  return byKey(rows)
}

async function findAccounts(ctx: Context, refs: readonly AccountRef[]): Promise<Map<string, bigint>> {
  const { rows } = await sql<AccountRow>`
    SELECT id, kind, asset_id, owner_key FROM accounts
    JOIN unnest(
      ${refs.map((ref) => ref.kind)}::text[], ${refs.map((ref) => ref.assetId)}::int[],
      ${refs.map((ref) => ref.ownerKey)}::text[]
    ) AS wanted (kind, asset_id, owner_key) USING (kind, asset_id, owner_key)`.execute(ctx.db)
  return byKey(rows)
}

function byKey(rows: readonly AccountRow[]): Map<string, bigint> {
  return new Map(rows.map((row) => [keyOf({ kind: row.kind, assetId: row.asset_id, ownerKey: row.owner_key }), row.id]))
}

function keyOf({ kind, assetId, ownerKey }: AccountRef): string {
  return `${kind} ${assetId} ${ownerKey}`
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
  return selectEntries(ctx, sql`entry.id IN (SELECT id FROM (${below(prefixes)}) AS found)`)
}

/** Ids and keys of the entries below each prefix: a range of the index each, which `LIKE ANY` would not be. */
function below(prefixes: readonly string[]): RawBuilder<unknown> {
  return sql`
    SELECT found.* FROM unnest(${prefixes}::text[], ${prefixes.map(after)}::text[]) WITH ORDINALITY AS wanted (first, after, n)
    CROSS JOIN LATERAL (
      SELECT id, source_key, posting, reverses, wanted.n FROM journal_entries
      WHERE source_key >= wanted.first COLLATE "C" AND source_key < wanted.after COLLATE "C"
    ) AS found`
}

/** The first text behind all that start with the prefix, byte by byte. */
function after(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCodePoint((prefix.codePointAt(prefix.length - 1) ?? 0) + 1)
}

/** The entry of a source key, or undefined. */
export async function findEntry(ctx: Context, sourceKey: string): Promise<StoredEntry | undefined> {
  const [entry] = await selectEntries(ctx, sql`entry.source_key = ${sourceKey}`)
  return entry
}

/** Entries below the prefixes that neither reverse another nor are reversed: prefix by prefix, newest first. */
export async function listUnreversed(ctx: Context, prefixes: readonly string[]): Promise<Mirroring[]> {
  type Found = { id: bigint; source_key: string; posting: string; reverses: bigint | null }
  const { rows } = await sql<Found>`SELECT * FROM (${below(prefixes)}) AS found ORDER BY n, id DESC`.execute(ctx.db)
  const reversed = new Set(rows.map((row) => row.reverses))
  return rows
    .filter((row) => row.reverses === null && !reversed.has(row.id))
    .map(({ id, posting, source_key: sourceKey }) => ({ id, posting, sourceKey }))
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
