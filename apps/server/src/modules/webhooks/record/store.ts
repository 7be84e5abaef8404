import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'

import type { Context } from '../../../context.ts'
import type { DeliveryStatus, WebhookTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WebhookTables>()

export type WebhookRow = Selectable<WebhookTables['webhooks']>
export type DeliveryRow = Selectable<WebhookTables['deliveries']>
export type AttemptRow = Selectable<WebhookTables['delivery_attempts']>

/** Stores an endpoint; undefined when the project has one with this address. */
export async function insertWebhook(
  ctx: Context,
  values: Omit<Insertable<WebhookTables['webhooks']>, 'created_at' | 'updated_at' | 'tested'>,
): Promise<WebhookRow | undefined> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('webhooks')
    .values({ ...values, tested: false, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Changes an endpoint; undefined when there is none. */
export async function updateWebhook(
  ctx: Context,
  id: number,
  values: Updateable<WebhookTables['webhooks']>,
): Promise<WebhookRow | undefined> {
  return tables(ctx)
    .updateTable('webhooks')
    .set({ ...values, updated_at: ctx.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Disables an active endpoint that still has this address; false when it has changed. */
export async function moveToDisabled(ctx: Context, { id, url }: Pick<WebhookRow, 'id' | 'url'>): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('webhooks')
    .set({ status: 'inactive', updated_at: ctx.now() })
    .where('id', '=', id)
    .where('url', '=', url)
    .where('status', '=', 'active')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type EndpointNews = {
  readonly id: number
  /** What the last attempt was answered with. */
  readonly code: number | null
  readonly hasReceived: boolean
  /** The last attempt failed. */
  readonly endsFailing: boolean
}

/** Stores how endpoints answered; `failing_since` is the first failure after the last success. */
export async function noteEndpoints(ctx: Context, news: readonly EndpointNews[]): Promise<void> {
  const now = ctx.now()
  await sql`
    UPDATE webhooks SET last_delivery_at = ${now}, last_response_code = news.code,
      failing_since = CASE WHEN NOT news."endsFailing" THEN NULL
        WHEN news."hasReceived" THEN ${now} ELSE coalesce(failing_since, ${now}) END
    FROM (
      SELECT w.id, n.code, n."hasReceived", n."endsFailing"
      FROM jsonb_to_recordset(${JSON.stringify(news)}::jsonb)
        AS n(id int, code int, "hasReceived" boolean, "endsFailing" boolean)
      JOIN webhooks w ON w.id = n.id ORDER BY w.id FOR NO KEY UPDATE OF w) news
    WHERE webhooks.id = news.id`.execute(ctx.db)
}

/** Active endpoints that have only failed since before a time. */
export async function listFailing(ctx: Context, since: Date): Promise<WebhookRow[]> {
  return tables(ctx)
    .selectFrom('webhooks')
    .selectAll()
    .where('status', '=', 'active')
    .where('failing_since', '<=', since)
    .orderBy('id')
    .execute()
}

/** Marks active endpoints that have only failed since before a time as mailed; returns those that were not marked. */
export async function markFailingMailed(ctx: Context, since: Date): Promise<WebhookRow[]> {
  return tables(ctx)
    .updateTable('webhooks')
    .set((eb) => ({ mailed_failing_since: eb.ref('failing_since') }))
    .where('status', '=', 'active')
    .where('failing_since', '<=', since)
    .where('mailed_failing_since', 'is distinct from', (eb) => eb.ref('failing_since'))
    .returningAll()
    .execute()
}

/** Endpoints of these projects that are not deleted, ordered by id. */
export async function listWebhookRows(ctx: Context, projectIds: readonly number[] | 'every'): Promise<WebhookRow[]> {
  const query = tables(ctx).selectFrom('webhooks').selectAll().where('status', '<>', 'deleted').orderBy('id')
  if (projectIds === 'every') return query.execute()
  return projectIds.length === 0 ? [] : query.where('project_id', 'in', projectIds).execute()
}

export type Receiver = Pick<WebhookRow, 'id' | 'project_id' | 'events'>

/** The facts that decide which endpoints of these projects receive an event, ordered by id; no delivery changes any of them. */
export async function listReceivers(ctx: Context, projectIds: readonly number[]): Promise<Receiver[]> {
  return tables(ctx)
    .selectFrom('webhooks')
    .select(['id', 'project_id', 'events'])
    .where('status', '<>', 'deleted')
    .where('project_id', 'in', projectIds)
    .orderBy('id')
    .execute()
}

/** An endpoint that is not deleted. */
export async function findWebhookRow(ctx: Context, id: number): Promise<WebhookRow | undefined> {
  return tables(ctx)
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('status', '<>', 'deleted')
    .executeTakeFirst()
}

/** The endpoint that follows the project’s own webhook address, unless it is deleted. */
export async function findDefaultWebhook(ctx: Context, projectId: number): Promise<WebhookRow | undefined> {
  return tables(ctx)
    .selectFrom('webhooks')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('is_default', '=', true)
    .where('status', '<>', 'deleted')
    .executeTakeFirst()
}

/** The endpoint of the project that has this address, unless it is deleted. */
export async function findWebhookByUrl(ctx: Context, projectId: number, url: string): Promise<WebhookRow | undefined> {
  return tables(ctx)
    .selectFrom('webhooks')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('url', '=', url)
    .where('status', '<>', 'deleted')
    .executeTakeFirst()
}

/**
 * Lets one transaction at a time change the endpoints of the project, so that two cannot exceed the limit together, and what is
 * read afterwards stays so until the transaction ends.
 */
export async function lockEndpoints(ctx: Context, projectId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('webhooks'), ${projectId}::int)`.execute(ctx.db)
}

export type NewDelivery = Pick<
  Insertable<WebhookTables['deliveries']>,
  | 'webhook_id'
  | 'project_id'
  | 'event_id'
  | 'event_type'
  | 'order_key'
  | 'sequence'
  | 'reference_id'
  | 'payout_id'
  | 'body'
>

/**
 * Stores deliveries, due at once; an event reaches an endpoint once. Those of a payment with a deposit in quarantine wait
 * for approval, and those to an endpoint that is switched off are discarded (api.md 6.4).
 */
export async function insertDeliveries(ctx: Context, rows: readonly NewDelivery[]): Promise<DeliveryRow[]> {
  const now = ctx.now()
  const input = JSON.stringify(rows)
  const { rows: inserted } = await sql<DeliveryRow>`
    INSERT INTO deliveries (webhook_id, project_id, event_id, event_type, order_key, sequence, reference_id,
      payout_id, body, status, next_retry_at, last_error, created_at, finished_at)
    SELECT d.webhook_id, d.project_id, d.event_id, d.event_type, d.order_key, d.sequence, d.reference_id,
      d.payout_id, d.body, fate.status, CASE WHEN fate.status = 'pending' THEN ${now}::timestamptz END,
      CASE WHEN fate.status = 'discarded' THEN 'The endpoint is switched off.' END, ${now},
      CASE WHEN fate.status = 'discarded' THEN ${now}::timestamptz END
    FROM ROWS FROM (jsonb_to_recordset(${input}::jsonb) AS (webhook_id int, project_id int, event_id text,
        event_type text, order_key text, sequence int, reference_id uuid, payout_id bigint, body text)) WITH ORDINALITY
      AS d(webhook_id, project_id, event_id, event_type, order_key, sequence, reference_id, payout_id, body, place)
    JOIN webhooks w ON w.id = d.webhook_id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN w.status <> 'active' THEN 'discarded'
      WHEN ${hasQuarantine(sql`d.reference_id`)} THEN 'waiting_for_approval'
      ELSE 'pending' END AS status) fate
    ORDER BY d.place
    ON CONFLICT (webhook_id, event_id) DO NOTHING
    RETURNING *`.execute(ctx.db)
  return inserted
}

/** Whether a deposit of the payment is quarantined until an operator decides. */
const hasQuarantine = (referenceId: RawBuilder<unknown>) => sql<boolean>`EXISTS (
  SELECT FROM payments p JOIN deposits quarantined ON quarantined.payment_id = p.id
  WHERE p.reference_id = ${referenceId} AND quarantined.status = 'quarantined')`

/**
 * Makes deliveries due that no longer wait for approval, of one payment or of all; returns the projects that have something
 * due.
 */
export async function moveToReleased(ctx: Context, referenceId?: string): Promise<number[]> {
  const chosen = referenceId === undefined ? sql`true` : sql`d.reference_id = ${referenceId}`
  const { rows } = await sql<{ project_id: number }>`
    UPDATE deliveries d SET status = 'pending', next_retry_at = ${ctx.now()}
    WHERE d.status = 'waiting_for_approval' AND ${chosen} AND NOT ${hasQuarantine(sql`d.reference_id`)}
    RETURNING d.project_id`.execute(ctx.db)
  return [...new Set(rows.map(({ project_id }) => project_id))]
}

/** Deletes deliveries that ended before `before`, a thousand at a time, oldest first; waiting ones stay. */
export async function deleteOldDeliveries(ctx: Context, before: Date): Promise<number> {
  let [removed, afterId] = [0, 0n]
  for (;;) {
    const { rows } = await sql<{ last: bigint | null; newest: Date | null; removed: number }>`
      WITH piece AS MATERIALIZED (
        SELECT id, created_at, status FROM deliveries WHERE id > ${afterId} ORDER BY id LIMIT 1000
      ), gone AS (
        DELETE FROM deliveries USING piece WHERE deliveries.id = piece.id AND piece.created_at < ${before}
          AND piece.status NOT IN ('pending', 'waiting_for_approval') RETURNING 1
      )
      SELECT max(id) AS last, max(created_at) AS newest, (SELECT count(*)::int FROM gone) AS removed
      FROM piece`.execute(ctx.db)
    const [piece] = rows
    removed += piece?.removed ?? 0
    if (!piece?.last || !piece.newest || piece.newest >= before) return removed
    afterId = piece.last
  }
}

export type DeliveryFilters = {
  readonly projectIds: readonly number[] | 'every'
  readonly webhookId?: number | undefined
  readonly status?: readonly DeliveryStatus[] | undefined
  readonly event?: readonly string[] | undefined
  readonly referenceId?: string | undefined
  readonly payoutId?: bigint | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

function filtered(ctx: Context, filters: DeliveryFilters) {
  let query = tables(ctx).selectFrom('deliveries')
  if (filters.projectIds !== 'every')
    query = query.where('project_id', '=', sql<number>`ANY(${[...filters.projectIds]}::int[])`)
  if (filters.webhookId !== undefined) query = query.where('webhook_id', '=', filters.webhookId)
  if (filters.status?.length) query = query.where('status', 'in', filters.status)
  if (filters.event?.length) query = query.where('event_type', 'in', filters.event)
  if (filters.referenceId !== undefined) query = query.where('reference_id', '=', filters.referenceId)
  if (filters.payoutId !== undefined) query = query.where('payout_id', '=', filters.payoutId)
  if (filters.from) query = query.where('created_at', '>=', filters.from)
  if (filters.to) query = query.where('created_at', '<=', filters.to)
  return query
}

/** Deliveries, newest first, below `beforeId`. */
export async function listDeliveryRows(
  ctx: Context,
  filters: DeliveryFilters,
  { limit, offset = 0, beforeId }: { limit: number; offset?: number; beforeId?: bigint | undefined },
): Promise<DeliveryRow[]> {
  let query = filtered(ctx, filters)
  if (beforeId !== undefined) query = query.where('id', '<', beforeId)
  return query.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
}

/** Counts the deliveries that match the filters. */
export async function countDeliveries(ctx: Context, filters: DeliveryFilters): Promise<number> {
  const row = await filtered(ctx, filters)
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('n'))
    .executeTakeFirstOrThrow()
  return row.n
}

/** A delivery of the endpoint by its own id or by the id of its event. */
export async function findDelivery(ctx: Context, webhookId: number, id: string): Promise<DeliveryRow | undefined> {
  const query = tables(ctx).selectFrom('deliveries').selectAll().where('webhook_id', '=', webhookId)
  return (
    /^\d{1,18}$/.test(id) ? query.where('id', '=', BigInt(id)) : query.where('event_id', '=', id)
  ).executeTakeFirst()
}

/** Attempts of these deliveries, ordered by their number. */
export async function listAttempts(ctx: Context, deliveryIds: readonly bigint[]): Promise<AttemptRow[]> {
  if (deliveryIds.length === 0) return []
  return tables(ctx)
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', 'in', deliveryIds)
    .orderBy('n')
    .execute()
}
