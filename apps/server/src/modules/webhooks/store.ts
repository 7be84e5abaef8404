import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'

import type { Context } from '../../context.ts'
import { ORDERED_ATTEMPTS } from './rules.ts'
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

/** Endpoints of these projects that are not deleted, ordered by id. */
export async function listWebhookRows(ctx: Context, projectIds: readonly number[] | 'every'): Promise<WebhookRow[]> {
  const query = tables(ctx).selectFrom('webhooks').selectAll().where('status', '<>', 'deleted').orderBy('id')
  if (projectIds === 'every') return query.execute()
  return projectIds.length === 0 ? [] : query.where('project_id', 'in', projectIds).execute()
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

/** Lets one transaction at a time add endpoints to the project, so that two cannot both take the last place. */
export async function lockEndpoints(ctx: Context, projectId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('webhooks'), ${projectId}::int)`.execute(ctx.db)
}

export type NewDelivery = Pick<
  Insertable<WebhookTables['deliveries']>,
  'webhook_id' | 'project_id' | 'event_id' | 'event_type' | 'order_key' | 'sequence' | 'reference_id' | 'body'
>

/** Stores deliveries, due at once; an event reaches an endpoint once. */
export async function insertDeliveries(ctx: Context, rows: readonly NewDelivery[]): Promise<DeliveryRow[]> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('deliveries')
    .values(
      rows.map((row) => ({
        ...row,
        status: 'pending' as const,
        attempt_count: 0,
        next_retry_at: now,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['webhook_id', 'event_id']).doNothing())
    .returningAll()
    .execute()
}

/**
 * An earlier event of the same order key is in its first attempts; the last of them is over when its outcome is written.
 * Reads the delivery in question as `d`.
 */
const waitsForEarlier = sql<boolean>`EXISTS (
  SELECT FROM deliveries earlier
  WHERE earlier.webhook_id = d.webhook_id AND earlier.order_key = d.order_key AND earlier.sequence < d.sequence
    AND earlier.status = 'pending'
    AND (earlier.attempt_count < ${ORDERED_ATTEMPTS} OR (earlier.attempt_count = ${ORDERED_ATTEMPTS} AND NOT EXISTS (
      SELECT FROM delivery_attempts WHERE delivery_id = earlier.id AND n = ${ORDERED_ATTEMPTS}))))`

/**
 * Takes a due delivery for one attempt, which holds until `leaseUntil`; undefined when it is not due, is done, or an
 * earlier event of the same order key is in its first attempts. Two workers never take the same one.
 */
export async function claimDelivery(ctx: Context, id: bigint, leaseUntil: Date): Promise<DeliveryRow | undefined> {
  return tables(ctx)
    .updateTable('deliveries as d')
    .set((e) => ({ attempt_count: e('attempt_count', '+', 1), next_retry_at: leaseUntil }))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('next_retry_at', '<=', ctx.now())
    .where((e) => e.not(waitsForEarlier))
    .returningAll()
    .executeTakeFirst()
}

/** Moves a pending delivery by what its attempt brought; undefined when it is no longer pending. */
export async function moveDelivery(
  ctx: Context,
  id: bigint,
  values: {
    status: DeliveryStatus
    next_retry_at: Date | null
    last_response_code: number | null
    last_error: string | null
  },
): Promise<DeliveryRow | undefined> {
  return tables(ctx)
    .updateTable('deliveries')
    .set({ ...values, finished_at: values.status === 'pending' ? null : ctx.now() })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst()
}

/** Remembers how an attempt went; the same attempt a second time changes nothing. */
export async function insertAttempt(ctx: Context, row: Insertable<WebhookTables['delivery_attempts']>): Promise<void> {
  await tables(ctx)
    .insertInto('delivery_attempts')
    .values(row)
    .onConflict((c) => c.doNothing())
    .execute()
}

/** What names a delivery to those who queue it. */
export type DeliveryKey = Pick<DeliveryRow, 'id' | 'webhook_id'>

/** Deliveries of the same order key that waited for this one, oldest first. */
export async function listFollowers(ctx: Context, row: DeliveryRow): Promise<DeliveryKey[]> {
  if (row.order_key === null || row.sequence === null) return []
  return tables(ctx)
    .selectFrom('deliveries')
    .select(['id', 'webhook_id'])
    .where('webhook_id', '=', row.webhook_id)
    .where('order_key', '=', row.order_key)
    .where('sequence', '>', row.sequence)
    .where('status', '=', 'pending')
    .orderBy('sequence')
    .execute()
}

/** Deliveries to the endpoint that could be attempted now, longest due first. */
export async function listDue(ctx: Context, webhookId: number, limit: number): Promise<DeliveryKey[]> {
  return tables(ctx)
    .selectFrom('deliveries as d')
    .select(['id', 'webhook_id'])
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .where('next_retry_at', '<=', ctx.now())
    .where((e) => e.not(waitsForEarlier))
    .orderBy('next_retry_at')
    .limit(limit)
    .execute()
}

/**
 * Pending deliveries whose time has passed without a worker: a process died between two steps. At most so many of each
 * endpoint, longest due first, so that the queue of a dead one does not hide the others.
 */
export async function listOverdue(ctx: Context, before: Date, limitEach: number): Promise<DeliveryKey[]> {
  const { rows } = await sql<DeliveryKey>`
    SELECT d.id, d.webhook_id FROM webhooks w CROSS JOIN LATERAL (
      SELECT d.id, d.webhook_id FROM deliveries d
      WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.next_retry_at < ${before} AND NOT ${waitsForEarlier}
      ORDER BY d.next_retry_at LIMIT ${limitEach}) d`.execute(ctx.db)
  return rows
}

export type DeliveryFilters = {
  readonly projectIds: readonly number[] | 'every'
  readonly webhookId?: number | undefined
  readonly status?: readonly DeliveryStatus[] | undefined
  readonly event?: readonly string[] | undefined
  readonly referenceId?: string | undefined
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

/** How many deliveries the filters let through. */
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
