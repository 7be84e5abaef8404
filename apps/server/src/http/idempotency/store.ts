import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import { recordset } from '../../db/recordset.ts'
import { executeLast } from '../../db/round-trips/last-statement.ts'
import { SHARED_LOCK_MS } from '../../db/round-trips/shared-transaction.ts'
import { takeAlone, together } from '../../db/round-trips/together.ts'
import { type AuditRecord, insertRecords } from '../audit/audit-hook.ts'

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

/** How long stored answers can be replayed. */
export const RETENTION_MS = 30 * 24 * 3_600_000
/** Published clients re-send a create within this time without a key. */
const DEDUPE_MS = 5 * 60_000
/** How long a repeat waits for the first to finish. */
const WAIT_MS = 10_000

/** How long the answer to such a claim is repeated. */
export function replayableMs(kind: Claim['kind']): number {
  return kind === 'key' ? RETENTION_MS : DEDUPE_MS
}

/**
 * Takes the key for this request; false when a request before has it. An equal claim that is still open in another
 * transaction is waited for, ten seconds at most and less by calls that share theirs, after which PostgreSQL raises 55P03.
 */
export const insertClaim = together(insertClaims)

async function insertClaims(ctx: Context, claims: readonly Claim[]): Promise<boolean[]> {
  for (const claim of claims) takeAlone(ctx, `claim ${nameOf(claim)}`)
  // The limit is set before a row is inserted. It holds for this statement or, where calls share the transaction, for all of it.
  const [limit, afterwards] = ctx.sharing ? [`${SHARED_LOCK_MS}ms`, `${SHARED_LOCK_MS}ms`] : [`${WAIT_MS}ms`, '0']
  const now = ctx.now()
  const asked = claims.map(({ caller, key, kind, requestHash }) => ({
    ...{ caller, key, kind, created_at: now },
    request_hash: `\\x${requestHash.toString('hex')}`,
  }))
  const { rows } = await sql<{ caller: string; key: string }>`
    WITH wait_limit AS MATERIALIZED (SELECT set_config('lock_timeout', ${limit}, true))
    INSERT INTO idempotency_keys (caller, key, kind, request_hash, created_at)
    SELECT caller, key, kind, request_hash, created_at FROM wait_limit, ${recordset('idempotency_keys', asked)}
    ORDER BY caller, key
    ON CONFLICT (caller, key) DO UPDATE SET
      request_hash = excluded.request_hash, created_at = excluded.created_at, status = NULL, body = NULL
    WHERE idempotency_keys.created_at < CASE excluded.kind
      WHEN 'key' THEN ${before(now, 'key')}::timestamptz ELSE ${before(now, 'dedupe')}::timestamptz END
    RETURNING caller, key, set_config('lock_timeout', ${afterwards}, true)`.execute(ctx.db)
  const taken = new Set(rows.map(nameOf))
  return claims.map((claim) => taken.has(nameOf(claim)))
}

function nameOf({ caller, key }: Pick<Claim, 'caller' | 'key'>): string {
  return `${caller} ${key}`
}

function before(now: Date, kind: Claim['kind']): Date {
  return new Date(now.getTime() - replayableMs(kind))
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

/** What was answered to a claim, and the record of it that is written with it. */
type Answered = {
  readonly claim: Claim
  readonly status: number
  readonly body: unknown
  readonly record?: AuditRecord | undefined
}

/** Stores the answer of a claim, last in its transaction. */
export const updateAnswer = together(updateAnswers)

/** The rows are there already: each is found by its key, whatever the planner thinks of how many there are. */
async function updateAnswers(ctx: Context, answers: readonly Answered[]): Promise<void[]> {
  const records = insertRecords(answers.flatMap(({ record }) => record ?? []))
  const rows = answers.map(({ claim: { caller, key, kind }, status, body }) => ({
    ...{ caller, key, kind, request_hash: '', status, body },
  }))
  const statement = sql`
    ${records ? sql`WITH record AS (${records})` : sql``}
    INSERT INTO idempotency_keys (caller, key, kind, request_hash, status, body)
    SELECT caller, key, kind, request_hash, status, body FROM ${recordset('idempotency_keys', rows)}
    ON CONFLICT (caller, key) DO UPDATE SET status = excluded.status, body = excluded.body`
  await executeLast(ctx.db, statement)
  return answers.map(() => undefined)
}

/** Frees a claim whose first answer is no longer true for a repeat. */
export async function deleteClaim(ctx: Context, caller: string, key: string): Promise<void> {
  await tables(ctx).deleteFrom('idempotency_keys').where('caller', '=', caller).where('key', '=', key).execute()
}

export async function deleteOlderThan(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('idempotency_keys').where('created_at', '<', time).execute()
}
