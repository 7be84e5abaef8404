import { ApiError, fail } from '@kassa/contract/kit/api-error.ts'

import { asSystem, type Caller, type Context, inTransaction } from '../../context.ts'
import { toApiError } from '../../http/api-errors.ts'
import { findOperator, grantsOf } from '../operators/accounts/service.ts'
import { findProject } from '../projects/service.ts'
import type { BulkAction } from './action.ts'
import { announceJob } from './announce.ts'
import { MAX_ROW_TRIES, projectsWith, storedError } from './rules.ts'
import {
  claimRow,
  findDone,
  findJob,
  moveJobEnded,
  moveJobStarted,
  moveRowDone,
  moveRowRefused,
  updateCount,
  countFailedTry,
} from './store.ts'
import type { JobRow, RowOfJob } from './tables.ts'

/** How often the progress of a running job is published to open pages. */
const ANNOUNCE_MS = 400

type Actions = readonly BulkAction[]

/**
 * Runs the waiting rows of a job one after another, until none is left, the job has ended, or `forMs` milliseconds have
 * passed. Returns whether rows are left. Safe to run concurrently and again after a process died: a row commits once,
 * together with its effect.
 * @throws the error of a row that failed for a reason outside the row (status 5xx); the row is retried a few times
 */
export async function runBulkJob(ctx: Context, actions: Actions, id: number, forMs: number): Promise<boolean> {
  const endsAt = performance.now() + forMs
  let announcedAt = performance.now()
  for (;;) {
    const hasMore = await runNext(ctx, actions, id)
    const now = performance.now()
    if (!hasMore || now - announcedAt >= ANNOUNCE_MS || now >= endsAt) {
      announcedAt = now
      const job = await findJob(ctx, id)
      if (job) announceJob(ctx, job)
    }
    if (!hasMore) return false
    if (now >= endsAt) return true
  }
}

/** Runs one row; false when the job has none left, or has ended. */
async function runNext(ctx: Context, actions: Actions, id: number): Promise<boolean> {
  const claimed: { line?: number } = {}
  try {
    return await inTransaction(asSystem(ctx), async (tx) => {
      const job = await moveJobStarted(tx, id)
      if (!job) return false
      const access = await accessOf(tx, actions, job)
      if (access instanceof ApiError) return !(await moveJobEnded(tx, id, 'failed', storedError(access)))
      const row = await claimRow(tx, id)
      if (!row) return !(await moveJobEnded(tx, id, 'done'))
      claimed.line = row.line
      await finishRow({ ...tx, caller: access.caller }, access.action, row)
      return true
    })
  } catch (thrown) {
    if (claimed.line === undefined) throw thrown
    await recordFailure(ctx, { jobId: id, line: claimed.line }, thrown)
    return true
  }
}

async function finishRow(ctx: Context, action: BulkAction, row: RowOfJob): Promise<void> {
  const before = await findDone(ctx, row, action.contract.options ?? [])
  if (before && !before.isSame) fail('IDEMPOTENCY_KEY_REUSED')
  const result = before?.result ?? (await action.run(ctx, row.project_id, row.input))
  await moveRowDone(ctx, row, { result, isRepeated: before !== undefined })
  await updateCount(ctx, row.job_id, 'done')
}

/** Stores why a row failed, after its writes were rolled back; rethrows an error that may not occur on a retry. */
async function recordFailure(ctx: Context, row: { jobId: number; line: number }, thrown: unknown): Promise<void> {
  const refusal = toApiError(thrown, undefined, ctx.requestId)
  const isPermanent = refusal.status < 500
  if (!isPermanent && (await countFailedTry(ctx, row.jobId, row.line)) < MAX_ROW_TRIES) throw thrown
  if (!isPermanent) ctx.log.error({ ...row, err: thrown }, 'a row of a bulk job is given up')
  await inTransaction(ctx, async (tx) => {
    const isLive = (await moveJobStarted(tx, row.jobId)) !== undefined
    if (isLive && (await moveRowRefused(tx, row, storedError(refusal)))) await updateCount(tx, row.jobId, 'refused')
  })
}

type Access = { readonly caller: Caller; readonly action: BulkAction }

/** The operator who started the job, if still permitted, and its action; an error when not, or when the project is archived. */
async function accessOf(
  ctx: Context,
  actions: Actions,
  { action: name, project_id: projectId, operator_id: operatorId }: JobRow,
): Promise<Access | ApiError> {
  const action = actions.find(({ contract }) => contract.name === name)
  if (!action) return new ApiError('VALIDATION_FAILED', { message: `This version knows no action ${name}.` })
  const operator = await findOperator(ctx, operatorId)
  if (operator?.state !== 'active') return new ApiError('UNAUTHORIZED')
  const project = await findProject(ctx, projectId)
  if (!project) return new ApiError('PROJECT_NOT_FOUND')
  if (project.status === 'archived') return new ApiError('PROJECT_ARCHIVED')
  const grants = await grantsOf(ctx, operatorId)
  const { permission } = action.contract
  if (projectsWith(grants, permission, [projectId]).length === 0) {
    return new ApiError('FORBIDDEN', { values: { permission, project: project.name } })
  }
  // A job runs without a session; no session has the id 0.
  const session = { sessionId: 0, restricted: false, stepUpUntil: null, secondFactors: [], missingFactor: null }
  return { action, caller: { kind: 'operator', operatorId, email: operator.email, grants, ...session } }
}
