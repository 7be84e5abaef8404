import { eventLogMachine, type EventLogStatus, type ReferralEventType } from '@kassa/contract/referral/machine.ts'
import type { EventLogFailures } from '@kassa/contract/referral/reasons.ts'
import type { Cause } from '@kassa/contract/kit/reason.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import { directionOf, type SortedBy } from '../../../db/lists/keyset.ts'
import { mergedCount, mergedPage, scopeOf, type Stretches } from '../../../db/lists/merged.ts'
import { rowsInto } from '../../../db/recordset.ts'
import type { PageRequest } from '../../../paging/paging.ts'

export type LogRow = {
  readonly id: bigint
  readonly project_id: number
  readonly event_id: number
  readonly member_id: number
  readonly amount: string | null
  readonly triggered_at: Date
  readonly data: Record<string, unknown> | null
  readonly external_id: string | null
  readonly payment_id: bigint | null
  readonly basis: string | null
  readonly status: EventLogStatus
  readonly failure_code: string | null
  readonly failure_params: unknown
  readonly created_at: Date
  readonly updated_at: Date
}

export type NewLog = {
  readonly projectId: number
  readonly eventId: number
  readonly memberId: number
  readonly amount: bigint | null
  readonly data: Record<string, unknown> | null
  readonly externalId: string | null
  readonly paymentId: bigint | null
  readonly status: 'pending' | 'waiting'
}

/** The event and the person of a log; null where the project does not know them. */
export type LoggedOf = {
  readonly event_id: number | null
  readonly event_type: ReferralEventType | null
  readonly member_id: number | null
}

/** Finds the event of this key and the person of this reference, in one statement. */
export async function findLoggedOf(
  ctx: Context,
  projectId: number,
  { eventKey, referenceId }: { readonly eventKey: string; readonly referenceId: string },
): Promise<LoggedOf> {
  const { rows } = await sql<LoggedOf>`
    SELECT event.id AS event_id, event.event_type, member.id AS member_id
    FROM (VALUES (${projectId}::int)) AS asked (project_id)
    LEFT JOIN referral_events AS event ON event.project_id = asked.project_id AND event.key = ${eventKey}
    LEFT JOIN referrers AS member ON member.project_id = asked.project_id
      AND member.reference_id = ${referenceId}`.execute(ctx.db)
  return rows[0] ?? { event_id: null, event_type: null, member_id: null }
}

/** A stored log with the sequence of the event about its member. */
export type StoredLog = FoundLog & { readonly sequence: number }

/**
 * Stores logs, in the order given, and counts the events about their members. It skips a log whose external id exists, or whose
 * event was already logged for the same payment.
 */
export async function insertLogs(ctx: Context, logs: readonly NewLog[]): Promise<StoredLog[]> {
  if (logs.length === 0) return []
  const now = ctx.now()
  const values = logs.map((log) => ({
    project_id: log.projectId,
    event_id: log.eventId,
    member_id: log.memberId,
    amount: log.amount,
    triggered_at: now,
    data: log.data,
    external_id: log.externalId,
    payment_id: log.paymentId,
    status: log.status,
    created_at: now,
    updated_at: now,
  }))
  const { rows } = await sql<StoredLog>`
    WITH log AS (
      INSERT INTO ${rowsInto('event_logs', values)} ON CONFLICT DO NOTHING RETURNING *
    ), member AS (
      UPDATE referrers SET sequence = sequence + own.n
      FROM (SELECT member_id, count(*)::int AS n FROM log GROUP BY member_id) AS own
      WHERE referrers.id = own.member_id
      RETURNING referrers.id, reference_id, email, sequence - own.n AS told
    )
    SELECT log.*, event.key AS event_key, event.event_type, project.name AS project_name, member.reference_id,
      member.email, (member.told + row_number() OVER (PARTITION BY log.member_id ORDER BY log.id))::int AS sequence,
      (SELECT reference_id::text FROM payments WHERE id = log.payment_id) AS payment_reference
    FROM log
    JOIN member ON member.id = log.member_id
    JOIN referral_events AS event ON event.id = log.event_id
    JOIN projects AS project ON project.id = log.project_id
    ORDER BY log.id`.execute(ctx.db)
  return rows
}

/** A log with the key and the type of its event. */
export type KeyedLog = LogRow & { readonly event_key: string; readonly event_type: ReferralEventType }

const KEYED = sql`SELECT log.*, event.key AS event_key, event.event_type
  FROM event_logs AS log JOIN referral_events AS event ON event.id = log.event_id`

/** Locks a log that waits to be counted; undefined when it does not. */
export async function lockPending(ctx: Context, id: bigint): Promise<KeyedLog | undefined> {
  const { rows } = await sql<KeyedLog>`
    ${KEYED} WHERE log.id = ${id} AND log.status = 'pending' FOR UPDATE OF log`.execute(ctx.db)
  return rows[0]
}

/** Locks logs that wait to be counted and that no other transaction has locked, oldest first, except these. */
export async function lockNextPending(
  ctx: Context,
  { most, without }: { readonly most: number; readonly without: readonly bigint[] },
): Promise<KeyedLog[]> {
  const { rows } = await sql<KeyedLog>`
    ${KEYED} WHERE log.status = 'pending' AND log.id <> ALL(${without.map(String)}::bigint[])
    ORDER BY log.id LIMIT ${most} FOR UPDATE OF log SKIP LOCKED`.execute(ctx.db)
  return rows
}

/**
 * Lets no other transaction log an event for these payments, or follow a change of their money, until this one ends: a log that
 * is stored meanwhile would be counted with what the payment was before. In the order of their ids; before their logs.
 */
export async function lockLogging(ctx: Context, paymentIds: readonly bigint[]): Promise<void> {
  if (paymentIds.length === 0) return
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended('event logs of a payment', id))
    FROM (SELECT DISTINCT id FROM unnest(${paymentIds.map(String)}::bigint[]) AS named (id) ORDER BY id OFFSET 0) AS payment`.execute(
    ctx.db,
  )
}

/** Locks the logs of payments, in the order of their ids. */
export async function lockLogsOfPayments(ctx: Context, paymentIds: readonly bigint[]): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    SELECT * FROM event_logs WHERE payment_id = ANY(${paymentIds.map(String)}::bigint[]) ORDER BY id FOR UPDATE`.execute(
    ctx.db,
  )
  return rows
}

/** Moves logs from one state to another, those that are in it. */
export async function moveLogs(
  ctx: Context,
  ids: readonly bigint[],
  { from, to }: { readonly from: EventLogStatus; readonly to: 'pending' | 'waiting' },
): Promise<void> {
  if (ids.length === 0) return
  await sql`
    UPDATE event_logs SET status = ${to}, updated_at = ${ctx.now()}
    WHERE id = ANY(${ids.map(String)}::bigint[]) AND status = ${from}`.execute(ctx.db)
}

/** The amounts a log was counted with: its own, and what its payment had brought then. */
export type Counted = { readonly id: bigint; readonly amount: bigint | null; readonly basis: bigint | null }

/** Stores that logs were counted. */
export async function moveProcessed(ctx: Context, logs: readonly Counted[]): Promise<void> {
  if (logs.length === 0) return
  const textOf = (units: bigint | null) => (units === null ? null : String(units))
  await sql`
    UPDATE event_logs SET status = 'processed', amount = counted.amount, basis = counted.basis, updated_at = ${ctx.now()}
    FROM unnest(
      ${logs.map(({ id }) => String(id))}::bigint[], ${logs.map(({ amount }) => textOf(amount))}::numeric[],
      ${logs.map(({ basis }) => textOf(basis))}::numeric[]
    ) AS counted (id, amount, basis)
    WHERE event_logs.id = counted.id AND status = 'pending'`.execute(ctx.db)
}

/** Stores that a log does not count, and why. */
export async function moveFailed(ctx: Context, id: bigint, cause: Cause<EventLogFailures>): Promise<void> {
  await sql`
    UPDATE event_logs SET status = 'failed', failure_code = ${cause.code},
      failure_params = ${JSON.stringify(cause.params)}::jsonb, updated_at = ${ctx.now()}
    WHERE id = ${id} AND status = 'pending'`.execute(ctx.db)
}

/** Lists filled payments for which logs still wait. */
export async function listFilledWaiting(ctx: Context, most: number): Promise<bigint[]> {
  const { rows } = await sql<{ payment_id: bigint }>`
    SELECT DISTINCT log.payment_id FROM event_logs AS log JOIN payments AS payment ON payment.id = log.payment_id
    WHERE log.status = 'waiting' AND payment.status IN ('FILLED', 'OVER_FILLED') LIMIT ${most}`.execute(ctx.db)
  return rows.map(({ payment_id }) => payment_id)
}

/** A log with what its row shows. */
export type FoundLog = KeyedLog & {
  readonly project_name: string
  readonly reference_id: string
  readonly email: string
  readonly payment_reference: string | null
}

const SHOWN = sql`SELECT log.*, event.key AS event_key, event.event_type, project.name AS project_name,
    member.reference_id, member.email, payment.reference_id::text AS payment_reference`
const JOINED = sql`JOIN referral_events AS event ON event.id = log.event_id
  JOIN projects AS project ON project.id = log.project_id
  JOIN referrers AS member ON member.id = log.member_id
  LEFT JOIN payments AS payment ON payment.id = log.payment_id`

export type LogFilter = {
  readonly projectIds: ProjectScope['projectIds']
  readonly eventKey?: string | undefined
  readonly referenceId?: string | undefined
  readonly status?: readonly EventLogStatus[] | undefined
  readonly campaignId?: number | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** Lists logs in reading order, one more than the page holds: the page is found first, and only its rows are filled in. */
export async function listFoundLogs(
  ctx: Context,
  filter: LogFilter,
  page: PageRequest<'created_at'>,
): Promise<(FoundLog & { readonly sortKey: string })[]> {
  const direction = sql.raw(directionOf(page))
  const { rows } = await sql<FoundLog & { sortKey: string }>`
    WITH page AS (${mergedPage(page, sortOf(filter), stretchesOf(filter))})
    ${SHOWN}, page.key::text AS "sortKey" FROM page JOIN event_logs AS log ON log.id = page.id ${JOINED}
    ORDER BY page.key ${direction}, page.id ${direction}`.execute(ctx.db)
  return rows
}

/** Totals are counted up to here; no page goes further. */
const MOST_COUNTED = 10_000

/** Counts logs, at most ten thousand of them. */
export async function countFoundLogs(ctx: Context, filter: LogFilter): Promise<number> {
  const { rows } = await mergedCount(stretchesOf(filter), MOST_COUNTED).execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Logs of a campaign are indexed by id only, which is the order they were stored in; those of a span are few enough. */
function isByCampaign({ campaignId, from, to }: LogFilter): boolean {
  return campaignId !== undefined && from === undefined && to === undefined
}

function sortOf(filter: LogFilter): SortedBy {
  return isByCampaign(filter)
    ? { column: sql`part.log_id`, type: 'bigint', id: sql`part.log_id` }
    : { column: sql`log.created_at`, type: 'timestamptz', id: sql`log.id` }
}

/** Reads each filter by the index that begins with it: campaign, person, event, or projects; all but the first one by state. */
function stretchesOf(filter: LogFilter): Stretches {
  const { projectIds, eventKey, referenceId, status = [], campaignId } = filter
  const scope = scopeOf(projectIds)
  const ofEvent = (project: RawBuilder<unknown>) =>
    sql`log.event_id IN (SELECT id FROM referral_events WHERE project_id = ${project} AND key = ${eventKey})`
  const member = sql`(SELECT id FROM referrers WHERE project_id = scope.id AND reference_id = ${referenceId})`
  const rest = spanOf(filter)
  const inStatus = status.length > 0 ? [sql`log.status = ANY(${[...status]}::text[])`] : []
  if (isByCampaign(filter)) {
    const narrowed = [
      ...(eventKey ? [ofEvent(sql`log.project_id`)] : []),
      ...(referenceId ? [sql`log.member_id IN (SELECT id FROM referrers WHERE reference_id = ${referenceId})`] : []),
      ...inStatus,
    ]
    const where = and(
      sql`part.campaign_id = ${campaignId} AND part.outcome = 'rewarded'`,
      sql`EXISTS (SELECT FROM campaigns AS campaign JOIN ${scope} ON scope.id = campaign.project_id WHERE campaign.id = ${campaignId})`,
      ...(narrowed.length === 0
        ? []
        : [sql`EXISTS (SELECT FROM event_logs AS log WHERE log.id = part.log_id AND ${and(...narrowed)} OFFSET 0)`]),
    )
    return { table: sql`event_log_uses AS part`, where }
  }
  const table = sql`event_logs AS log`
  if (referenceId) {
    const where = and(
      sql`log.member_id = ${member}`,
      ...(eventKey ? [ofEvent(sql`scope.id`)] : []),
      ...inStatus,
      ...rest,
    )
    return { each: scope, table, where }
  }
  const states = sql`unnest(${[...(status.length > 0 ? new Set(status) : eventLogMachine.states)]}::text[]) AS state (status)`
  const each = sql`${scope} CROSS JOIN ${states}`
  if (!eventKey)
    return { each, table, where: and(sql`log.project_id = scope.id AND log.status = state.status`, ...rest) }
  return {
    each: sql`${each} JOIN referral_events AS event ON event.project_id = scope.id AND event.key = ${eventKey}`,
    table,
    where: and(sql`log.event_id = event.id AND log.status = state.status`, ...rest),
  }
}

function spanOf({ campaignId, from, to }: LogFilter): RawBuilder<unknown>[] {
  return [
    ...(campaignId === undefined
      ? []
      : [
          sql`EXISTS (SELECT FROM event_log_uses AS part
            WHERE part.log_id = log.id AND part.campaign_id = ${campaignId} AND part.outcome = 'rewarded' OFFSET 0)`,
        ]),
    ...(from === undefined ? [] : [sql`log.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`log.created_at <= ${to}`]),
  ]
}

function and(...conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` AND `)
}

export type UseRow = {
  readonly log_id: bigint
  readonly campaign_id: number
  readonly name: string
  readonly unit_id: number
  readonly reason_code: string | null
  readonly reason_params: unknown
  /** What the set's reward is after reversals; null when there was none. */
  readonly units: string | null
}

/** What campaigns made of logs. */
export async function listUses(ctx: Context, logIds: readonly bigint[]): Promise<UseRow[]> {
  const { rows } = await sql<UseRow>`
    SELECT part.log_id, part.campaign_id, campaign.name, campaign.unit_id, part.reason_code, part.reason_params,
      (SELECT sum(reward.units - reward.reversed_units)::text FROM rewards AS reward
        WHERE reward.campaign_id = part.campaign_id AND reward.set_log_id = part.set_log_id) AS units
    FROM event_log_uses AS part JOIN campaigns AS campaign ON campaign.id = part.campaign_id
    WHERE part.log_id = ANY(${logIds.map(String)}::bigint[]) ORDER BY part.log_id, part.campaign_id`.execute(ctx.db)
  return rows
}
