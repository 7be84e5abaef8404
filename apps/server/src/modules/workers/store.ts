import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import { type Heartbeat, MOST_COUNTED, type Reading } from './rules.ts'
import type { WorkerTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WorkerTables>()

/** A process's last report of one of its workers. */
export type LastReport = {
  readonly name: string
  /** Seconds since its last run; null before the first. */
  readonly lastRun: number | null
  readonly failure: string | null
  readonly restartsDone: number
}

/** Stores the reports of a process and deletes workers it no longer has; returns the requested restarts of each. */
export async function upsertHeartbeats(
  ctx: Context,
  process: string,
  reports: readonly LastReport[],
): Promise<Map<string, number>> {
  const names = reports.map(({ name }) => name)
  const { rows } = await sql<{ name: string; restarts_asked: number }>`
    WITH gone AS (DELETE FROM workers WHERE process = ${process} AND name <> ALL (${names}::text[]))
    INSERT INTO workers (name, process, begun_at, beat_at, turned_at, failure, restarts_asked, restarts_done)
    SELECT name, ${process}, now(), now(), now() - last_run * interval '1 second', failure, done, done
    FROM unnest(${names}::text[], ${reports.map(({ lastRun }) => lastRun)}::float8[],
                ${reports.map(({ failure }) => failure)}::text[], ${reports.map(({ restartsDone }) => restartsDone)}::int[])
      AS report (name, last_run, failure, done)
    ON CONFLICT (name, process) DO UPDATE SET
      begun_at = CASE WHEN workers.restarts_done = excluded.restarts_done THEN workers.begun_at ELSE now() END,
      beat_at = now(), turned_at = excluded.turned_at, failure = excluded.failure, restarts_done = excluded.restarts_done
    RETURNING name, restarts_asked`.execute(ctx.db)
  return new Map(rows.map((row) => [row.name, row.restarts_asked]))
}

/** Deletes the reports of a process that ends. */
export async function deleteHeartbeats(ctx: Context, process: string): Promise<void> {
  await tables(ctx).deleteFrom('workers').where('process', '=', process).execute()
}

/** Deletes the reports of processes that died more than a day ago. */
export async function deleteOldHeartbeats(ctx: Context): Promise<void> {
  await tables(ctx)
    .deleteFrom('workers')
    .where('beat_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
}

/** Lists the last reports of all processes. */
export async function listHeartbeats(ctx: Context): Promise<Heartbeat[]> {
  const ago = (column: string) => sql<number>`extract(epoch FROM now() - ${sql.ref(column)})::float8`
  return tables(ctx)
    .selectFrom('workers')
    .select(['name', 'failure'])
    .select([
      ago('beat_at').as('heartbeat'),
      ago('begun_at').as('begun'),
      sql<number | null>`extract(epoch FROM now() - turned_at)::float8`.as('lastRun'),
      sql<boolean>`restarts_asked > restarts_done`.as('isRestarting'),
    ])
    .execute()
}

/** Requests a restart of these workers in every process. */
export async function askRestarts(ctx: Context, names: readonly string[]): Promise<void> {
  await tables(ctx)
    .updateTable('workers')
    .set((eb) => ({ restarts_asked: eb('restarts_asked', '+', 1) }))
    .where('name', 'in', names)
    .execute()
}

/** Counts the jobs of every queue that are due and that no process has taken. */
export async function countWaitingJobs(ctx: Context): Promise<{ readonly queue: string; readonly count: number }[]> {
  const { rows } = await sql<{ queue: string; count: number }>`
    SELECT name AS queue, count(*)::int AS count FROM pgboss.job
    WHERE state < 'active' AND start_after <= now() GROUP BY name`.execute(ctx.db)
  return rows
}

/** Counts the deliveries that are due, up to one more than the limit. */
export async function countDueDeliveries(ctx: Context): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM deliveries WHERE status = 'pending' AND next_retry_at <= ${ctx.now()} LIMIT ${MOST_COUNTED + 1}
    ) AS due`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

/** Lists how each blockchain is read, by its id. */
export async function listReadings(ctx: Context): Promise<Map<number, Omit<Reading, 'reason'>>> {
  const { rows } = await sql<{
    blockchain_id: number
    state: Reading['state']
    behind: number
    checked_at: Date | null
  }>`
    SELECT blockchain_id, state, greatest(head_height - height, 0)::int AS behind, checked_at
    FROM chain_cursors`.execute(ctx.db)
  const now = ctx.now().getTime()
  return new Map(
    rows.map(({ blockchain_id, state, behind, checked_at }) => [
      blockchain_id,
      { state, blocksBehind: behind, sinceAnswer: checked_at && (now - checked_at.getTime()) / 1000 },
    ]),
  )
}
