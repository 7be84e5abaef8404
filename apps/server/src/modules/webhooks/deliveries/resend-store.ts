import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { DeliveryRow } from '../record/store.ts'
import type { DeliveryStatus } from '../record/tables.ts'

/** The columns that make a delivery due now; its schedule starts over, while the numbers of its attempts continue. */
const dueAgain = (now: Date) => sql`
  status = 'pending', next_retry_at = ${now}, attempts_before = attempt_count, ordered_until = NULL, finished_at = NULL`

/**
 * Makes a delivery due again; undefined when an attempt is under way, or when it waits for approval, after which it is sent
 * anyway.
 */
export async function moveToResent(ctx: Context, id: bigint): Promise<DeliveryRow | undefined> {
  const now = ctx.now()
  const { rows } = await sql<DeliveryRow>`
    UPDATE deliveries SET ${dueAgain(now)}
    WHERE id = ${id} AND status <> 'waiting_for_approval' AND (leased_until IS NULL OR leased_until <= ${now})
    RETURNING *`.execute(ctx.db)
  return rows[0]
}

export type ReplayChoice = {
  readonly webhookId: number
  readonly from: Date
  readonly to: Date
  readonly events: readonly string[]
  readonly statuses: readonly DeliveryStatus[]
}

/** Makes deliveries of a period due again and returns how many. They are locked in the order of their ids. */
export async function moveToReplayed(ctx: Context, choice: ReplayChoice): Promise<number> {
  const result = await sql`
    WITH chosen AS (
      SELECT id FROM deliveries
      WHERE webhook_id = ${choice.webhookId} AND created_at >= ${choice.from} AND created_at <= ${choice.to}
        AND status = ANY(${[...choice.statuses]}::text[])
        AND (${choice.events.length === 0} OR event_type = ANY(${[...choice.events]}::text[]))
      ORDER BY id FOR UPDATE
    )
    UPDATE deliveries SET ${dueAgain(ctx.now())} FROM chosen WHERE deliveries.id = chosen.id`.execute(ctx.db)
  return Number(result.numAffectedRows ?? 0n)
}

/** The newest delivered event of a payment, which contains its state. */
export async function findNewestEvent(
  ctx: Context,
  { projectId, referenceId }: { projectId: number; referenceId: string },
): Promise<{ type: string; sequence: number | null; payload: Record<string, unknown> } | undefined> {
  const { rows } = await sql<{ type: string; sequence: number | null; payload: Record<string, unknown> }>`
    SELECT type, sequence, payload FROM events
    WHERE reference_id = ${referenceId} AND project_id = ${projectId} AND sequence IS NOT NULL
    ORDER BY id DESC LIMIT 1`.execute(ctx.db)
  return rows[0]
}

/** The newest event of a payment in these projects. */
export async function findPaymentEvent(
  ctx: Context,
  { projectIds, referenceId }: { projectIds: readonly number[] | 'every'; referenceId: string },
): Promise<{ project_id: number; payload: Record<string, unknown> } | undefined> {
  const { rows } = await sql<{ project_id: number; payload: Record<string, unknown> }>`
    SELECT project_id, payload FROM events
    WHERE reference_id = ${referenceId} AND project_id IS NOT NULL
      AND (${projectIds === 'every'} OR project_id = ANY(${projectIds === 'every' ? [] : [...projectIds]}::int[]))
    ORDER BY id DESC LIMIT 1`.execute(ctx.db)
  return rows[0]
}
