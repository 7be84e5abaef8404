/**
 * Bulk jobs: an operator's action on many rows, each performed once, in the background. Another module passes the action in;
 * this one knows who may start it, how far it is, and how it continues after a restart.
 */
import { type BulkActionContract, bulkColumns } from '@kassa/contract/bulk-jobs/action.ts'
import {
  type BulkJob,
  type BulkJobRow,
  type BulkResultLine,
  MOST_BULK_ROWS,
  MOST_LISTED_BULK_JOBS,
  MOST_LIVE_BULK_JOBS,
  type NewBulkJob,
} from '@kassa/contract/bulk-jobs/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { MAX_SEARCH_LIMIT } from '@kassa/contract/kit/paging.ts'
import { type Context, inTransaction } from '../../context.ts'
import { inSnapshot } from '../../context.ts'
import type { ProjectScope } from '../../context.ts'
import { requirePresence } from '../../http/access.ts'
import { queue } from '../../jobs/jobs.ts'
import { limitOf } from '../../paging/paging.ts'
import type { BulkAction } from './action.ts'
import { announceJob } from './announce.ts'
import { type AskedRow, askedRows, firstRepeated, isWellAsked, projectsWith } from './rules.ts'
import { countLive, findJob, insertJob, insertRows, listJobs, listRows, moveJobEnded, type ShownJob } from './store.ts'
import { jobView, resultLine, rowView } from './view.ts'

export { bulkAction, type BulkAction, type SelectedRows } from './action.ts'

export type BulkJobRef = { readonly id: number }

/** The queue in which jobs are run. */
export const bulkJobsToRun = queue<BulkJobRef>('bulk-jobs.run')

/** Queues the next run of a job; at most one waits. */
export async function queueBulkJob(ctx: Context, id: number): Promise<void> {
  await bulkJobsToRun.send(ctx, { id }, { singletonKey: String(id) })
}

/** Rows per statement of a result file. */
const PAGE = 1_000

/** Rows whose faults a refusal names; the others follow once these are corrected. */
const MOST_NAMED = 20

/** How often a free slot is looked for while other jobs take theirs. */
const MOST_TRIES = 10

type Actions = readonly BulkAction[]

/**
 * Starts a job for the rows of a request, or for all that match a filter.
 * @throws FORBIDDEN, STEP_UP_REQUIRED, VALIDATION_FAILED, FILTER_INVALID, BULK_JOB_EMPTY, BULK_JOB_LIMIT
 */
export async function startBulkJob(
  ctx: Context,
  actions: Actions,
  projectId: number,
  request: NewBulkJob,
): Promise<BulkJob> {
  const { caller } = ctx
  if (caller.kind !== 'operator') return fail('UNAUTHORIZED')
  const action = actions.find(({ contract }) => contract.name === request.action)
  if (!action)
    return refuseField('action', `Action must be one of: ${actions.map((one) => one.contract.name).join(', ')}`)
  requirePermission(ctx, action.contract, projectId)
  const { rows, isTruncated } = await rowsOf(ctx, action, projectId, request)
  if (rows.length === 0) return fail('BULK_JOB_EMPTY')
  return inTransaction(ctx, async (tx) => {
    const id = await takePlace(tx, {
      project_id: projectId,
      action: action.contract.name,
      operator_id: caller.operatorId,
      total: rows.length,
      truncated: isTruncated,
    })
    await insertRows(tx, { id, projectId, action: action.contract.name }, rows)
    await queueBulkJob(tx, id)
    const job = (await findJob(tx, id)) ?? fail('INTERNAL_ERROR')
    announceJob(tx, job)
    return jobView(job)
  })
}

type NewPlace = Parameters<typeof insertJob>[1]

/** Two starts at once may choose the same slot; the one that finds it taken looks again. */
async function takePlace(ctx: Context, job: NewPlace): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const id = await insertJob(ctx, job, MOST_LIVE_BULK_JOBS)
    if (id !== undefined) return id
    if ((await countLive(ctx, job.project_id)) >= MOST_LIVE_BULK_JOBS) break
  }
  return fail('BULK_JOB_LIMIT', { values: { n: MOST_LIVE_BULK_JOBS } })
}

type Rows = { readonly rows: readonly AskedRow[]; readonly isTruncated: boolean }

async function rowsOf(ctx: Context, action: BulkAction, projectId: number, request: NewBulkJob): Promise<Rows> {
  if (!isWellAsked(action.contract, request))
    return refuseField('rows', 'Send rows or, where the action takes one, a filter')
  if (request.filter === undefined || action.select === null) {
    const rows = askedRows(request)
    requireRows(action, rows)
    return { rows, isTruncated: false }
  }
  const found = await action.select(ctx, projectId, request.filter, MOST_BULK_ROWS)
  const rows = askedRows({ rows: found.rows.map((input) => ({ input })), shared: request.shared })
  requireRows(action, rows.slice(0, 1))
  return { rows, isTruncated: found.isTruncated }
}

/** Nothing starts while a row is wrong; the caller corrects it first. */
function requireRows(action: BulkAction, rows: readonly AskedRow[]): void {
  const line = firstRepeated(rows.map((row) => row.line))
  if (line !== undefined) refuseField('rows', `Line ${line} is listed twice`)
  const key = firstRepeated(rows.flatMap((row) => row.key ?? []))
  if (key !== undefined) refuseField('rows', `The key ${key} is listed twice`)
  const wrong = rows.flatMap((row, index) =>
    Object.entries(action.check(row.input) ?? {}).map(([field, text]) => [`rows.${index}.${field}`, text] as const),
  )
  const [first] = wrong
  if (first) fail('VALIDATION_FAILED', { message: first[1], fields: Object.fromEntries(wrong.slice(0, MOST_NAMED)) })
}

function requirePermission({ caller, now }: Context, action: BulkActionContract, projectId: number): void {
  if (caller.kind !== 'operator') return fail('UNAUTHORIZED')
  if (projectsWith(caller.grants, action.permission, [projectId]).length === 0) {
    const values = { permission: action.permission, project: `project ${projectId}` }
    return fail('FORBIDDEN', { values, data: values })
  }
  const { stepUp, name } = action
  if (stepUp !== undefined) requirePresence(caller, { stepUp, action: name, now: now() })
}

/** The newest jobs of the projects whose action the caller may use there, newest first. */
export async function listBulkJobs(
  ctx: Context,
  actions: Actions,
  scope: ProjectScope,
  { action: name, isLive = false }: { action?: string | undefined; isLive?: boolean | undefined },
): Promise<BulkJob[]> {
  const visible = visibleActions(ctx, actions, scope).filter(({ action }) => name === undefined || action === name)
  return (await listJobs(ctx, { visible, isLive, limit: MOST_LISTED_BULK_JOBS })).map(jobView)
}

function visibleActions({ caller }: Context, actions: Actions, { projectIds }: ProjectScope) {
  if (caller.kind !== 'operator') return []
  return actions.map(({ contract }) => ({
    action: contract.name,
    projectIds: projectsWith(caller.grants, contract.permission, projectIds),
  }))
}

/** Finds a job that the caller may see, with its action. @throws BULK_JOB_NOT_FOUND */
async function getJob(
  ctx: Context,
  actions: Actions,
  scope: ProjectScope,
  id: number,
): Promise<{ job: ShownJob; action: BulkActionContract }> {
  const job = (await findJob(ctx, id)) ?? fail('BULK_JOB_NOT_FOUND')
  const seen = visibleActions(ctx, actions, scope).find(({ action }) => action === job.action)
  const isSeen = seen && (seen.projectIds === 'every' || seen.projectIds.includes(job.project_id))
  const action = actions.find(({ contract }) => contract.name === job.action)
  return isSeen && action ? { job, action: action.contract } : fail('BULK_JOB_NOT_FOUND')
}

/** One job and how far it is. @throws BULK_JOB_NOT_FOUND */
export async function showBulkJob(ctx: Context, actions: Actions, scope: ProjectScope, id: number): Promise<BulkJob> {
  return jobView((await getJob(ctx, actions, scope, id)).job)
}

export type RowQuestion = {
  readonly status?: BulkJobRow['status'] | undefined
  readonly limit?: number | undefined
  /** Rows after this line. */
  readonly after?: number | undefined
}

/** Rows of a job in their order. @throws BULK_JOB_NOT_FOUND */
export async function listBulkJobRows(
  ctx: Context,
  actions: Actions,
  scope: ProjectScope,
  id: number,
  { status, limit, after = 0 }: RowQuestion,
): Promise<{ data: BulkJobRow[]; total: number }> {
  const { job } = await getJob(ctx, actions, scope, id)
  const page = { jobId: id, status: status ?? null, after, limit: limitOf(limit, MAX_SEARCH_LIMIT) }
  const totals = { waiting: job.total - job.done - job.refused, done: job.done, refused: job.refused }
  return { data: (await listRows(ctx, page)).map(rowView), total: status ? totals[status] : job.total }
}

/**
 * Ends a job, after the row in progress. Finished rows stay finished.
 * @throws BULK_JOB_NOT_FOUND, BULK_JOB_ENDED
 */
export async function cancelBulkJob(ctx: Context, actions: Actions, scope: ProjectScope, id: number): Promise<BulkJob> {
  await getJob(ctx, actions, scope, id)
  return inTransaction(ctx, async (tx) => {
    if (!(await moveJobEnded(tx, id, 'cancelled'))) return fail('BULK_JOB_ENDED')
    const job = (await findJob(tx, id)) ?? fail('INTERNAL_ERROR')
    announceJob(tx, job)
    return jobView(job)
  })
}

/** A list that is sent as a file with columns of its own. */
export type FileRows<Row> = AsyncIterable<Row> & { readonly columns: readonly string[] }

/** The rows of a job as a file, in their order, as of now. @throws BULK_JOB_NOT_FOUND */
export async function exportBulkJob(
  ctx: Context,
  actions: Actions,
  scope: ProjectScope,
  id: number,
): Promise<FileRows<BulkResultLine>> {
  const { action } = await getJob(ctx, actions, scope, id)
  const lines = inSnapshot(ctx, async function* (snapshot) {
    let after = 0
    for (;;) {
      const rows = await listRows(snapshot, { jobId: id, status: null, after, limit: PAGE })
      for (const row of rows) yield resultLine(row)
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return
      after = last.line
    }
  })
  return Object.assign(lines, { columns: bulkColumns(action) })
}

function refuseField(field: string, message: string): never {
  return fail('VALIDATION_FAILED', { message, fields: { [field]: message } })
}
