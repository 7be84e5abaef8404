import { type BulkJobState, bulkJobMachine, bulkRowMachine } from '@kassa/contract/bulk-jobs/machine.ts'
import { sourcesOf } from '@kassa/primitives/machine.ts'
import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import { rowsInto } from '../../db/recordset.ts'
import type { AskedRow, StoredError } from './rules.ts'
import type { BulkJobReads, BulkJobTables, JobRow, RowOfJob } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<BulkJobTables & BulkJobReads>()

export type NewJob = Pick<JobRow, 'project_id' | 'action' | 'operator_id' | 'total' | 'truncated'>

/** A job with the address of the operator who started it. */
export type ShownJob = JobRow & { readonly started_by: string }

/** Inserts a job in the first free slot of its project; undefined when another job took it, or none is free. */
export async function insertJob(ctx: Context, job: NewJob, places: number): Promise<number | undefined> {
  const now = ctx.now()
  const { rows } = await sql<{ id: number }>`
    INSERT INTO bulk_jobs (project_id, action, operator_id, total, truncated, created_at, worked_at, place)
    SELECT ${job.project_id}, ${job.action}, ${job.operator_id}, ${job.total}, ${job.truncated}, ${now}, ${now}, free.place
    FROM generate_series(1, ${places}::int) AS free (place)
    WHERE NOT EXISTS (
      SELECT FROM bulk_jobs AS live
      WHERE live.project_id = ${job.project_id} AND live.ended_at IS NULL AND live.place = free.place
    )
    ORDER BY free.place LIMIT 1
    ON CONFLICT (project_id, place) WHERE ended_at IS NULL DO NOTHING
    RETURNING id`.execute(ctx.db)
  return rows[0]?.id
}

/** Counts the jobs of a project that have not ended. */
export async function countLive(ctx: Context, projectId: number): Promise<number> {
  const row = await tables(ctx)
    .selectFrom('bulk_jobs')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('project_id', '=', projectId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Inserts the rows of a job. */
export async function insertRows(
  ctx: Context,
  { id, projectId, action }: { id: number; projectId: number; action: string },
  rows: readonly AskedRow[],
): Promise<void> {
  const values = rows.map(({ line, key, input }) => ({
    job_id: id,
    project_id: projectId,
    action,
    line,
    key,
    input,
    status: bulkRowMachine.initial,
    repeated: false,
    faults: 0,
  }))
  await sql`INSERT INTO ${rowsInto('bulk_job_rows', values)}`.execute(ctx.db)
}

const shownJobs = (ctx: Context) =>
  tables(ctx)
    .selectFrom('bulk_jobs')
    .innerJoin('operators', 'operators.id', 'bulk_jobs.operator_id')
    .selectAll('bulk_jobs')
    .select('operators.email as started_by')

/** Finds a job by id. */
export async function findJob(ctx: Context, id: number): Promise<ShownJob | undefined> {
  return shownJobs(ctx).where('bulk_jobs.id', '=', id).executeTakeFirst()
}

/** Which jobs a caller may see: of these actions, each in some projects. */
export type JobFilter = {
  readonly visible: readonly { readonly action: string; readonly projectIds: readonly number[] | 'every' }[]
  readonly isLive: boolean
  readonly limit: number
}

/** Lists jobs, newest first. */
export async function listJobs(ctx: Context, { visible, isLive, limit }: JobFilter): Promise<ShownJob[]> {
  return shownJobs(ctx)
    .where((where) =>
      where.or(
        visible.map(({ action, projectIds }) =>
          projectIds === 'every'
            ? where('action', '=', action)
            : where.and([
                where('action', '=', action),
                where('project_id', '=', sql<number>`ANY(${[...projectIds]}::int[])`),
              ]),
        ),
      ),
    )
    .$if(isLive, (query) => query.where('ended_at', 'is', null))
    .orderBy('bulk_jobs.id', 'desc')
    .limit(limit)
    .execute()
}

/** Jobs that have not ended and had no progress for this long, or only at a time to come, which a wrong clock set. */
export async function listIdleJobs(ctx: Context, idleMs: number): Promise<number[]> {
  const [since, tooLate] = [-idleMs, idleMs].map((ms) => new Date(ctx.now().getTime() + ms))
  const rows = await tables(ctx)
    .selectFrom('bulk_jobs')
    .select('id')
    .where('ended_at', 'is', null)
    .where(sql<boolean>`(worked_at < ${since} OR worked_at > ${tooLate})`)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Starts a job for one row and locks it until the transaction ends: the rows of one job run one after another, and none runs
 * once the job has ended. Undefined when it has.
 */
export async function moveJobStarted(ctx: Context, id: number): Promise<JobRow | undefined> {
  const from = [...sourcesOf(bulkJobMachine, 'running'), 'running' as const]
  return tables(ctx)
    .updateTable('bulk_jobs')
    .set({ status: 'running', worked_at: ctx.now() })
    .where('id', '=', id)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst()
}

/** Ends a job; false when it had ended already. */
export async function moveJobEnded(
  ctx: Context,
  id: number,
  to: Extract<BulkJobState, 'done' | 'cancelled' | 'failed'>,
  failure: StoredError | null = null,
): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('bulk_jobs')
    .set({ status: to, ended_at: ctx.now(), failure: failure && JSON.stringify(failure) })
    .where('id', '=', id)
    .where('status', 'in', sourcesOf(bulkJobMachine, to))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a row that has its outcome. */
export async function updateCount(ctx: Context, id: number, outcome: 'done' | 'refused'): Promise<void> {
  await tables(ctx)
    .updateTable('bulk_jobs')
    .set((update) => ({ [outcome]: update(outcome, '+', 1), worked_at: ctx.now() }))
    .where('id', '=', id)
    .execute()
}

/**
 * Claims the next waiting row of a job; undefined when there is none. The claim commits together with the outcome, or not at
 * all.
 */
export async function claimRow(ctx: Context, jobId: number): Promise<RowOfJob | undefined> {
  const from = sourcesOf(bulkRowMachine, 'running')
  const { rows } = await sql<RowOfJob>`
    UPDATE bulk_job_rows SET status = 'running'
    WHERE job_id = ${jobId} AND status = ANY(${from}::text[]) AND line = (
      SELECT line FROM bulk_job_rows WHERE job_id = ${jobId} AND status = 'waiting' ORDER BY line LIMIT 1
    )
    RETURNING *`.execute(ctx.db)
  return rows[0]
}

/** Gives a claimed row its result. */
export async function moveRowDone(
  ctx: Context,
  { job_id: jobId, line }: RowOfJob,
  { result, isRepeated }: { result: Readonly<Record<string, unknown>>; isRepeated: boolean },
): Promise<void> {
  await tables(ctx)
    .updateTable('bulk_job_rows')
    .set({ status: 'done', result: JSON.stringify(result), repeated: isRepeated })
    .where('job_id', '=', jobId)
    .where('line', '=', line)
    .where('status', 'in', sourcesOf(bulkRowMachine, 'done'))
    .execute()
}

/** Stores why a row was refused; false when it no longer waits. */
export async function moveRowRefused(
  ctx: Context,
  { jobId, line }: { jobId: number; line: number },
  error: StoredError,
): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('bulk_job_rows')
    .set({ status: 'refused', error: JSON.stringify(error) })
    .where('job_id', '=', jobId)
    .where('line', '=', line)
    .where('status', 'in', sourcesOf(bulkRowMachine, 'refused'))
    .returning('line')
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a try of a row that failed for a cause outside of it, and returns how many there were. */
export async function countFailedTry(ctx: Context, jobId: number, line: number): Promise<number> {
  const row = await tables(ctx)
    .updateTable('bulk_job_rows')
    .set((update) => ({ faults: update('faults', '+', 1) }))
    .where('job_id', '=', jobId)
    .where('line', '=', line)
    .returning('faults')
    .executeTakeFirst()
  return row?.faults ?? 0
}

/**
 * The result of an earlier row with this key under the same action of a project, and whether its request was the same, apart
 * from fields that only say how.
 */
export async function findDone(
  ctx: Context,
  { project_id: projectId, action, key, input }: RowOfJob,
  options: readonly string[],
): Promise<{ result: Record<string, unknown>; isSame: boolean } | undefined> {
  if (key === null) return undefined
  const { rows } = await sql<{ result: Record<string, unknown>; isSame: boolean }>`
    SELECT result, input - ${[...options]}::text[] = ${JSON.stringify(input)}::jsonb - ${[...options]}::text[] AS "isSame" FROM bulk_job_rows
    WHERE project_id = ${projectId} AND action = ${action} AND key = ${key} AND status = 'done' AND NOT repeated`.execute(
    ctx.db,
  )
  return rows[0]
}

/** Rows of a job after a line, in their order. */
export async function listRows(
  ctx: Context,
  { jobId, status, after, limit }: { jobId: number; status: RowOfJob['status'] | null; after: number; limit: number },
): Promise<RowOfJob[]> {
  return tables(ctx)
    .selectFrom('bulk_job_rows')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('line', '>', after)
    .$if(status !== null, (query) => query.where('status', '=', status))
    .orderBy('line')
    .limit(limit)
    .execute()
}

/** Deletes jobs, with their rows, that ended before a time. */
export async function deleteJobsEndedBefore(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('bulk_jobs').where('ended_at', '<', time).execute()
}
