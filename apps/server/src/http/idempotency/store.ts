import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../context.ts'
import { executeLast } from '../../db/round-trips/last-statement.ts'

type IdempotencyTables = {
  idempotency_keys: {
    caller: string
    key: string
    kind: 'key' | 'dedupe'
    request_hash: Buffer
    status: number | null
    body: unknown
    created_at: Date
  }
}

const tables = (ctx: Context) => ctx.db.$extendTables<IdempotencyTables>()

export type StoredAnswer = { readonly requestHash: Buffer; readonly status: number | null; readonly body: unknown }

export type Claim = {
  readonly caller: string
  readonly key: string
  readonly kind: 'key' | 'dedupe'
  readonly requestHash: Buffer
}

/**
 * Takes the key for this request; false when an earlier request has it. Waits for an equal claim that is open in another
 * transaction, at most `waitMs`, after which PostgreSQL raises 55P03.
 */
export async function insertClaim(
  ctx: Context,
  claim: Claim,
  { olderThan, waitMs }: { olderThan: Date; waitMs: number },
) {
  // The limit applies to this statement only: it is set before the row is inserted, and reset with what is returned.
  const { rows } = await sql<{ key: string }>`
    WITH wait_limit AS MATERIALIZED (SELECT set_config('lock_timeout', ${`${waitMs}ms`}, true))
    INSERT INTO idempotency_keys (caller, key, kind, request_hash, created_at)
    SELECT ${claim.caller}, ${claim.key}, ${claim.kind}, ${claim.requestHash}::bytea, ${ctx.now()}::timestamptz FROM wait_limit
    ON CONFLICT (caller, key) DO UPDATE SET
      request_hash = excluded.request_hash, created_at = excluded.created_at, status = NULL, body = NULL
    WHERE idempotency_keys.created_at < ${olderThan}
    RETURNING key, set_config('lock_timeout', '0', true)`.execute(ctx.db)
  return rows.length > 0
}

/** Finds what was answered to the key since the time. */
export async function findAnswer(
  ctx: Context,
  { caller, key }: Pick<Claim, 'caller' | 'key'>,
  since: Date,
): Promise<StoredAnswer | null> {
  const row = await tables(ctx)
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'body'])
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where('created_at', '>=', since)
    .executeTakeFirst()
  return row ? { requestHash: row.request_hash, status: row.status, body: row.body } : null
}

/**
 * Stores the answer of a claim, last in its transaction; `record`, a statement that returns nothing, runs in the same
 * statement.
 */
export async function updateAnswer(
  ctx: Context,
  claim: Claim,
  { status, body, record }: { status: number; body: unknown; record?: RawBuilder<unknown> | undefined },
): Promise<void> {
  const answer = sql`
    ${record ? sql`WITH record AS (${record})` : sql``}
    UPDATE idempotency_keys SET status = ${status}, body = ${JSON.stringify(body)}
    WHERE caller = ${claim.caller} AND key = ${claim.key}`
  await executeLast(ctx.db, answer)
}

/** Frees a claim whose first answer is no longer true for a repeat. */
export async function deleteClaim(ctx: Context, caller: string, key: string): Promise<void> {
  await tables(ctx).deleteFrom('idempotency_keys').where('caller', '=', caller).where('key', '=', key).execute()
}

export async function deleteOlderThan(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('idempotency_keys').where('created_at', '<', time).execute()
}
