import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { LEASE_MS, LONGEST_DELAY_MS, ORDERED_ATTEMPTS, ORDERED_MS } from './rules.ts'
import type { DeliveryRow } from './store.ts'

/** The outcome of an attempt, as it is stored with its delivery. */
export type Note = {
  readonly id: bigint
  /** The number of the attempt. */
  readonly n: number
  readonly status: 'received' | 'failed' | 'pending'
  readonly retryAt: Date | null
  readonly code: number | null
  readonly error: string | null
  readonly at: Date
  readonly ms: number
  readonly excerpt: string | null
}

export type Moved = Pick<DeliveryRow, 'id' | 'project_id' | 'reference_id' | 'status'>

/**
 * Stores the outcomes of attempts and moves their deliveries, in one statement. Only a success moves a delivery that another
 * worker attempted meanwhile, or that was discarded. Returns those that moved.
 */
export async function noteAttempts(ctx: Context, notes: readonly Note[]): Promise<Moved[]> {
  const now = ctx.now()
  const input = JSON.stringify(notes.map((note) => ({ ...note, id: String(note.id) })))
  const { rows } = await sql<Moved>`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${input}::jsonb) AS note(
        id bigint, n int, status text, "retryAt" timestamptz, code int, error text, at timestamptz, ms int, excerpt text)
    ), locked AS MATERIALIZED (
      SELECT id FROM deliveries WHERE id IN (SELECT id FROM input) ORDER BY id FOR UPDATE
    ), noted AS (
      INSERT INTO delivery_attempts (delivery_id, n, at, code, ms, error, response_excerpt)
      SELECT id, n, at, code, ms, error, excerpt FROM input JOIN locked USING (id)
      ON CONFLICT DO NOTHING
    )
    UPDATE deliveries AS d SET
      status = note.status, next_retry_at = note."retryAt", leased_until = NULL,
      last_response_code = note.code, last_error = note.error,
      finished_at = CASE WHEN note.status <> 'pending' THEN ${now}::timestamptz END,
      ordered_until = CASE WHEN d.attempt_count - d.attempts_before >= ${ORDERED_ATTEMPTS}::int
        THEN ${now}::timestamptz ELSE d.ordered_until END
    FROM input AS note JOIN locked USING (id)
    WHERE d.id = note.id AND (
      (d.status = 'pending' AND (d.attempt_count = note.n OR note.status = 'received'))
      OR (d.status = 'discarded' AND note.status = 'received'))
    RETURNING d.id, d.project_id, d.reference_id, d.status`.execute(ctx.db)
  return rows
}

/**
 * Makes later events due that waited for one of these, which has ended or is past its first attempts. Returns the endpoints
 * that have something due.
 */
export async function releaseFollowers(ctx: Context, ids: readonly bigint[]): Promise<number[]> {
  const now = ctx.now()
  const { rows } = await sql<{ webhook_id: number }>`
    WITH waiting AS (
      SELECT later.id FROM deliveries AS earlier JOIN deliveries AS later
        ON later.webhook_id = earlier.webhook_id AND later.order_key = earlier.order_key
        AND later.sequence > earlier.sequence
      WHERE earlier.id = ANY(${ids.map(String)}::bigint[])
        AND (earlier.status <> 'pending' OR earlier.ordered_until <= ${now})
        AND later.status = 'pending' AND later.attempt_count = later.attempts_before AND later.next_retry_at > ${now}
      ORDER BY later.id FOR UPDATE OF later
    )
    UPDATE deliveries SET next_retry_at = ${now} FROM waiting WHERE deliveries.id = waiting.id
    RETURNING webhook_id`.execute(ctx.db)
  return [...new Set(rows.map(({ webhook_id }) => webhook_id))]
}

/** The error stored with deliveries to an endpoint that is switched off or deleted. */
const SWITCHED_OFF = 'The endpoint is switched off.'

/** Discards the pending deliveries of an endpoint; without one, those of every endpoint that is not active. */
export async function discardPending(ctx: Context, webhookId?: number): Promise<void> {
  const chosen =
    webhookId === undefined
      ? sql`webhook_id IN (SELECT id FROM webhooks WHERE status <> 'active')`
      : sql`webhook_id = ${webhookId}`
  await sql`
    WITH waiting AS (
      SELECT id FROM deliveries WHERE ${chosen} AND status = 'pending' ORDER BY id FOR UPDATE
    )
    UPDATE deliveries SET status = 'discarded', next_retry_at = NULL, leased_until = NULL, finished_at = ${ctx.now()},
      last_error = ${SWITCHED_OFF}
    FROM waiting WHERE deliveries.id = waiting.id`.execute(ctx.db)
}

/** Clocks of several processes differ by less than this. */
const CLOCK_TOLERANCE_MS = 60_000

/**
 * Makes deliveries due whose times lie further ahead than any delay: a clock was ahead when they were stored or claimed, and
 * was corrected since. Without this they would wait until then. The end of a delivery's turn in the order stays where no wrong
 * clock set it, because later events may already have been sent.
 */
export async function releaseAheadOfClock(ctx: Context): Promise<void> {
  const now = ctx.now()
  const after = (ms: number) => new Date(now.getTime() + ms + CLOCK_TOLERANCE_MS)
  await sql`
    WITH ahead AS (
      SELECT id FROM deliveries WHERE status = 'pending' AND next_retry_at > ${after(0)} AND (
        created_at > ${after(0)} OR leased_until > ${after(LEASE_MS)} OR next_retry_at > ${after(LONGEST_DELAY_MS)})
      ORDER BY id FOR UPDATE
    )
    UPDATE deliveries SET next_retry_at = ${now}, leased_until = NULL,
      ordered_until = CASE WHEN ordered_until <= ${after(ORDERED_MS)} THEN ordered_until END
    FROM ahead WHERE deliveries.id = ahead.id`.execute(ctx.db)
}
