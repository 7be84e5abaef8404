import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import { type Heartbeat, MOST_COUNTED, type Reading } from './rules.ts'
import type { WorkerTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WorkerTables>()

/** What a process says of one of its workers. */
export type LastReport = {
  readonly name: string
  /** Seconds since its newest turn; null before the first. */
  readonly turned: number | null
  readonly failure: string | null
  readonly restartsDone: number
}

/** Stores what a process says of its workers and forgets those it has no more; returns how often each was to begin again. */
export async function upsertBeats(
  ctx: Context,
  process: string,
  said: readonly LastReport[],
): Promise<Map<string, number>> {
  const names = said.map(({ name }) => name)
  const { rows } = await sql<{ name: string; restarts_asked: number }>`
    WITH gone AS (DELETE FROM workers WHERE process = ${process} AND name <> ALL (${names}::text[]))
    INSERT INTO workers (name, process, begun_at, beat_at, turned_at, failure, restarts_asked, restarts_done)
    SELECT name, ${process}, now(), now(), now() - turned * interval '1 second', failure, done, done
    FROM unnest(${names}::text[], ${said.map(({ turned }) => turned)}::float8[],
                ${said.map(({ failure }) => failure)}::text[], ${said.map(({ restartsDone }) => restartsDone)}::int[])
      AS said (name, turned, failure, done)
    ON CONFLICT (name, process) DO UPDATE SET
      begun_at = CASE WHEN workers.restarts_done = excluded.restarts_done THEN workers.begun_at ELSE now() END,
      beat_at = now(), turned_at = excluded.turned_at, failure = excluded.failure, restarts_done = excluded.restarts_done
    RETURNING name, restarts_asked`.execute(ctx.db)
  return new Map(rows.map((row) => [row.name, row.restarts_asked]))
}

/** Forgets the workers of a process that ends. */
export async function deleteBeats(ctx: Context, process: string): Promise<void> {
  await tables(ctx).deleteFrom('workers').where('process', '=', process).execute()
}

/** Forgets processes that died more than a day ago. */
export async function deleteOldBeats(ctx: Context): Promise<void> {
  await tables(ctx)
    .deleteFrom('workers')
    .where('beat_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute()
}

/** Lists what every process last said. */
export async function listBeats(ctx: Context): Promise<Heartbeat[]> {
  const ago = (column: string) => sql<number>`extract(epoch FROM now() - ${sql.ref(column)})::float8`
  return tables(ctx)
    .selectFrom('workers')
    .select(['name', 'failure'])
    .select([
      ago('beat_at').as('beat'),
      ago('begun_at').as('begun'),
      sql<number | null>`extract(epoch FROM now() - turned_at)::float8`.as('turned'),
      sql<boolean>`restarts_asked > restarts_done`.as('isRestarting'),
    ])
    .execute()
}

/** Tells every process to let these workers begin again. */
export async function askRestarts(ctx: Context, names: readonly string[]): Promise<void> {
  await tables(ctx)
    .updateTable('workers')
    .set((eb) => ({ restarts_asked: eb('restarts_asked', '+', 1) }))
    .where('name', 'in', names)
    .execute()
}

/** Counts the jobs of every queue that are due and that nobody has taken. */
export async function countWaitingJobs(ctx: Context): Promise<{ readonly queue: string; readonly count: number }[]> {
  const { rows } = await sql<{ queue: string; count: number }>`
    SELECT name AS queue, count(*)::int AS count FROM pgboss.job
    WHERE state < 'active' AND start_after <= now() GROUP BY name`.execute(ctx.db)
  return rows
}

/** Counts the deliveries that are due, up to one more than are counted. */
export async function countDueDeliveries(ctx: Context): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM deliveries WHERE status = 'pending' AND next_retry_at <= ${ctx.now()} LIMIT ${MOST_COUNTED + 1}
    ) AS due`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

/** Lists how each blockchain is read, by id. */
export async function listReadings(ctx: Context): Promise<Map<number, Reading>> {
  const { rows } = await sql<{
    blockchain_id: number
    state: Reading['state']
    reason: string | null
    behind: number
    looked_at: Date | null
  }>`
    SELECT blockchain_id, state, reason, greatest(head_height - height, 0)::int AS behind, looked_at
    FROM chain_cursors`.execute(ctx.db)
  const now = ctx.now().getTime()
  return new Map(
    rows.map(({ blockchain_id, state, reason, behind, looked_at }) => [
      blockchain_id,
      { state, reason, blocksBehind: behind, looked: looked_at && (now - looked_at.getTime()) / 1000 },
    ]),
  )
}
