import { sql } from 'kysely'

import type { Context } from '../../context.ts'

/** Entries under one seal at most: their text is hashed in one statement. */
const MOST_ENTRIES = 20_000

/**
 * SQL of the hash of the entries `first`–`last`: each entry is hashed with its lines as jsonb text, and these hashes are hashed
 * in order together with `prev`, the hash of the seal before.
 */
function sealHash(first: string, last: string, prev: string): string {
  return `
    sha256(${prev} || coalesce((
      SELECT string_agg(sha256(convert_to(jsonb_build_array(
        entry.id, entry.source_key, entry.posting, entry.project_id, entry.blockchain_id, entry.height, entry.reverses,
        entry.meta, (extract(epoch FROM entry.at) * 1000000)::bigint, (
          SELECT jsonb_agg(jsonb_build_array(line, unit_id, debit_account, credit_account, units::text) ORDER BY line)
          FROM postings WHERE entry_id = entry.id)
      )::text, 'UTF8')), ''::bytea ORDER BY entry.id)
      FROM journal_entries AS entry WHERE entry.id BETWEEN ${first} AND ${last}), ''::bytea))`
}

/** The value before the first seal: 32 zero bytes. */
const NOTHING = `decode(repeat('00', 32), 'hex')`

/**
 * Closes the marked seal once every transaction that was open when it was marked has ended; returns whether it did. One process
 * at a time does this, any of them.
 */
export async function closeSeal(ctx: Context): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    UPDATE journal_seals AS seal
    SET hash = ${sql.raw(sealHash('seal.first_id', 'seal.last_id', 'seal.prev_hash'))}, sealed_at = ${ctx.now()}
    WHERE hash IS NULL AND horizon <= pg_snapshot_xmin(pg_current_snapshot()) RETURNING id`.execute(ctx.db)
  return rows.length > 0
}

/** Marks the entries after the last seal; false when there are none or a mark is open. */
export async function markSeal(ctx: Context): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    WITH last AS (SELECT last_id, hash FROM journal_seals ORDER BY id DESC LIMIT 1),
    next AS (
      SELECT min(id) AS first_id, max(id) AS last_id FROM (
        SELECT id FROM journal_entries WHERE id > coalesce((SELECT last_id FROM last), 0) ORDER BY id LIMIT ${MOST_ENTRIES}
      ) AS unsealed
    )
    INSERT INTO journal_seals (first_id, last_id, horizon, prev_hash, marked_at)
    SELECT coalesce((SELECT last_id FROM last), 0) + 1, last_id, pg_current_xact_id(),
      coalesce((SELECT hash FROM last), ${sql.raw(NOTHING)}), ${ctx.now()}
    FROM next WHERE next.last_id IS NOT NULL AND NOT EXISTS (SELECT FROM journal_seals WHERE hash IS NULL)
    ON CONFLICT DO NOTHING RETURNING id`.execute(ctx.db)
  return rows.length > 0
}

export type Seal = { readonly lastId: bigint; readonly hash: string }

/** Finds the newest closed seal. */
export async function findLastSeal(ctx: Context): Promise<Seal | undefined> {
  const { rows } = await sql<{ lastId: bigint; hash: string }>`
    SELECT last_id AS "lastId", encode(hash, 'hex') AS hash FROM journal_seals
    WHERE hash IS NOT NULL ORDER BY id DESC LIMIT 1`.execute(ctx.db)
  return rows[0]
}

/** Seals that do not match their entries, or the seal before them; as SQL of an invariant. */
export const BROKEN_SEALS = `
  SELECT 'entries ' || seal.first_id || ' to ' || seal.last_id AS subject FROM journal_seals AS seal
  LEFT JOIN journal_seals AS before ON before.last_id = seal.first_id - 1
  WHERE seal.hash IS NOT NULL AND (
    seal.hash <> ${sealHash('seal.first_id', 'seal.last_id', 'seal.prev_hash')}
    OR seal.prev_hash <> coalesce(before.hash, ${NOTHING})
    OR (before.id IS NULL AND seal.first_id <> 1))`
