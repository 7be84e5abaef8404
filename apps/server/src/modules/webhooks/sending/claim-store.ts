import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { newestKeyStates } from '../signing/key-store.ts'
import { ORDERED_MS } from '../record/rules.ts'
import type { DeliveryRow, WebhookRow } from '../record/store.ts'
import { blockers } from '../record/wait-store.ts'
import type { FreePlaces } from './scheduler.ts'

/** An active endpoint with the old secrets that still sign, and the signing states of its project's newest API key. */
export type Target = WebhookRow & { readonly old_secrets: readonly number[]; readonly hmac_ref: number | null }

/** Nothing is sent for an archived project (api.md P6); pending deliveries are sent once the project is active again. */
const isProjectActive = sql`EXISTS (SELECT FROM projects p WHERE p.id = w.project_id AND p.status = 'active')`

/** The active endpoints of these projects, and these endpoints if they are active. */
export async function listTargets(
  ctx: Context,
  { projectIds, webhookIds }: { projectIds: readonly number[]; webhookIds: readonly number[] },
): Promise<Target[]> {
  const { rows } = await sql<Target>`
    SELECT w.*, ARRAY(
      SELECT secret_ref FROM webhook_old_secrets o WHERE o.webhook_id = w.id AND o.expires_at > ${ctx.now()}
      ORDER BY o.expires_at DESC) AS old_secrets, ${newestKeyStates(ctx, sql`w.project_id`)} AS hmac_ref
    FROM webhooks w
    WHERE w.status = 'active' AND ${isProjectActive}
      AND (w.project_id = ANY(${[...projectIds]}::int[]) OR w.id = ANY(${[...webhookIds]}::int[]))
    ORDER BY w.failing_since NULLS FIRST, w.id`.execute(ctx.db)
  return rows
}

/** Endpoints for which something is due. */
export async function listDueWebhooks(ctx: Context): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT w.id FROM webhooks w WHERE w.status = 'active' AND ${isProjectActive} AND EXISTS (
      SELECT FROM deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.next_retry_at <= ${ctx.now()})
    ORDER BY w.failing_since NULLS FIRST, w.id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

export type Claim = {
  readonly claimed: readonly DeliveryRow[]
  /** Due deliveries that wait for an earlier event of their order key. */
  readonly postponed: readonly bigint[]
}

/** Extra rows to read per endpoint, because some of them wait for earlier ones. */
const EXTRA_ROWS = 16
/** A delivery that waits for an earlier event without an outcome is checked again after this, unless the outcome comes first. */
const RECHECK_MS = 1000

/**
 * Claims due deliveries for one attempt each, until `leaseUntil`: as many of each endpoint as it has free slots, longest due
 * first. Those that wait for an earlier event are postponed until that one is tried again. Two workers never claim the same
 * one.
 */
export async function claimDeliveries(ctx: Context, places: readonly FreePlaces[], leaseUntil: Date): Promise<Claim> {
  const now = ctx.now()
  const later = (ms: number) => new Date(now.getTime() + ms)
  const { rows } = await sql<DeliveryRow & { id: bigint | null; postponed: string[] | null }>`
    WITH checked AS MATERIALIZED (
      SELECT d.id, d.webhook_id, d.next_retry_at, place.free, (
        SELECT max(least(e.next_retry_at, e.ordered_until)) ${blockers(now)}) AS blocked_until
      FROM unnest(${places.map(({ webhookId }) => webhookId)}::int[], ${places.map((one) => one.places)}::int[])
        AS place(webhook_id, free)
      CROSS JOIN LATERAL (
        SELECT p.id, p.webhook_id, p.next_retry_at, p.order_key, p.sequence FROM deliveries p
        WHERE p.webhook_id = place.webhook_id AND p.status = 'pending' AND p.next_retry_at <= ${now}
        ORDER BY p.next_retry_at, p.id LIMIT place.free + ${EXTRA_ROWS} FOR UPDATE SKIP LOCKED) d
    ), free AS (
      SELECT id FROM (
        SELECT id, free, row_number() OVER (PARTITION BY webhook_id ORDER BY next_retry_at, id) AS nth
        FROM checked WHERE blocked_until IS NULL) ordered
      WHERE nth <= free
    ), claimed AS (
      UPDATE deliveries d SET attempt_count = attempt_count + 1, next_retry_at = ${leaseUntil},
        leased_until = ${leaseUntil}, ordered_until = coalesce(ordered_until, ${later(ORDERED_MS)})
      FROM free WHERE d.id = free.id RETURNING d.*
    ), postponed AS (
      UPDATE deliveries d SET next_retry_at = greatest(checked.blocked_until, ${later(RECHECK_MS)})
      FROM checked WHERE d.id = checked.id AND checked.blocked_until IS NOT NULL RETURNING d.id
    )
    SELECT claimed.*, (SELECT array_agg(id) FROM postponed) AS postponed
    FROM (SELECT) one LEFT JOIN claimed ON true ORDER BY claimed.id`.execute(ctx.db)
  return {
    claimed: rows.filter((row) => row.id !== null),
    postponed: (rows[0]?.postponed ?? []).map(BigInt),
  }
}

/** Makes deliveries due again that were postponed while the earlier event ended: its release ran just before and missed them. */
export async function recheckPostponed(ctx: Context, ids: readonly bigint[]): Promise<void> {
  const now = ctx.now()
  await sql`
    UPDATE deliveries d SET next_retry_at = ${now}
    WHERE d.id = ANY(${ids.map(String)}::bigint[]) AND d.status = 'pending' AND d.leased_until IS NULL
      AND NOT EXISTS (SELECT ${blockers(now)})`.execute(ctx.db)
}
