import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { Seal } from './proof/entry-hash.ts'
import type { AuditEntryRow } from './proof/tables.ts'

/** A point in the log: the newest entry, and a transaction id above all that may have written entries up to it. */
export type Mark = { readonly lastId: bigint | null; readonly horizon: string }

/** Takes a mark now: once every transaction that is open has ended, no smaller id can appear. */
export async function findMark(ctx: Context): Promise<Mark> {
  const { rows } = await sql<Mark>`
    SELECT (SELECT max(id) FROM audit_entries) AS "lastId", pg_current_xact_id()::text AS horizon`.execute(ctx.db)
  return rows[0] ?? { lastId: null, horizon: '0' }
}

/** Whether every transaction that was open at a mark has ended. */
export async function isSettled(ctx: Context, { horizon }: Mark): Promise<boolean> {
  const { rows } = await sql<{ settled: boolean }>`
    SELECT ${horizon}::xid8 <= pg_snapshot_xmin(pg_current_snapshot()) AS settled`.execute(ctx.db)
  return rows[0]?.settled ?? false
}

/** Finds the newest seal. */
export async function findLastSeal(ctx: Context): Promise<Seal | undefined> {
  return findSealUpTo(ctx, null)
}

/** Finds the newest seal of an entry up to this one; the newest of all without one. */
export async function findSealUpTo(ctx: Context, id: bigint | null): Promise<Seal | undefined> {
  const { rows } = await sql<Seal>`
    SELECT entry_id AS "entryId", encode(hash, 'hex') AS hash FROM audit_seals
    WHERE ${id === null ? sql`true` : sql`entry_id <= ${id}`} ORDER BY entry_id DESC LIMIT 1`.execute(ctx.db)
  return rows[0]
}

/** Finds the last sealed entry before a time, by the index of times. */
export async function findLastIdBefore(ctx: Context, time: Date): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM audit_entries WHERE at < ${time} ORDER BY at DESC, id DESC LIMIT 1`.execute(ctx.db)
  return rows[0]?.id ?? 0n
}

type Range = { readonly after: bigint; readonly through: bigint; readonly limit: number }

/** Lists entries by id. */
export async function listRange(ctx: Context, { after, through, limit }: Range): Promise<AuditEntryRow[]> {
  const { rows } = await sql<AuditEntryRow>`
    SELECT * FROM audit_entries WHERE id > ${after} AND id <= ${through} ORDER BY id LIMIT ${limit}`.execute(ctx.db)
  return rows
}

/** Lists seals by the id of their entry. */
export async function listSeals(ctx: Context, { after, through, limit }: Range): Promise<Seal[]> {
  const { rows } = await sql<Seal>`
    SELECT entry_id AS "entryId", encode(hash, 'hex') AS hash FROM audit_seals
    WHERE entry_id > ${after} AND entry_id <= ${through} ORDER BY entry_id LIMIT ${limit}`.execute(ctx.db)
  return rows
}

/** Stores seals; two processes that seal at once write the same. */
export async function insertSeals(ctx: Context, seals: readonly Seal[]): Promise<void> {
  await sql`
    INSERT INTO audit_seals (entry_id, hash)
    SELECT entry_id, decode(hash, 'hex') FROM unnest(
      ${seals.map(({ entryId }) => String(entryId))}::bigint[], ${seals.map(({ hash }) => hash)}::text[]) AS seal (entry_id, hash)
    ON CONFLICT DO NOTHING`.execute(ctx.db)
}

export type StoredCheck = {
  readonly ok: boolean
  readonly through: bigint
  readonly hash: string | null
  readonly fullAt: Date | null
}

/** Finds what the last verification covered. */
export async function findLastCheck(ctx: Context): Promise<StoredCheck | undefined> {
  const { rows } = await sql<StoredCheck>`
    SELECT ok, through_entry AS through, encode(hash, 'hex') AS hash, full_at AS "fullAt"
    FROM audit_checks ORDER BY id DESC LIMIT 1`.execute(ctx.db)
  return rows[0]
}

/** Stores what a verification found. */
export async function insertCheck(ctx: Context, check: StoredCheck): Promise<void> {
  await sql`
    INSERT INTO audit_checks (at, ok, through_entry, hash, full_at)
    VALUES (${ctx.now()}, ${check.ok}, ${check.through}, decode(${check.hash}, 'hex'), ${check.fullAt})`.execute(ctx.db)
}
