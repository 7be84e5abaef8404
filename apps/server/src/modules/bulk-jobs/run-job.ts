import { fail } from '@kassa/contract/kit/api-error.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'

import { asSystem, type Caller, type Context, inTransaction } from '../../context.ts'
import { toApiError } from '../../http/api-errors.ts'
import { findOperator, grantsOf } from '../operators/service.ts'
import { findProject } from '../projects/service.ts'
import type { BulkAction } from './action.ts'
import { announceJob } from './announce.ts'
import { MOST_FAULTS, projectsWith, storedError } from './rules.ts'
import {
  claimRow,
  findDone,
  findJob,
  moveJobEnded,
  moveJobStarted,
  moveRowDone,
  moveRowRefused,
  updateCount,
  updateFaults,
} from './store.ts'
import type { JobRow, RowOfJob } from './tables.ts'

/** How often open screens hear of a job that goes on. */
const ANNOUNCE_MS = 400

type Actions = readonly BulkAction[]

/**
 * Runs the rows of a job that wait, one after another, until none does, the job has ended, or so many milliseconds have
 * passed. Returns whether rows are left. Safe to run twice at the same time and again after a process died: a row
 * commits together with its effect, once.
 * @throws what a row failed with that is not the row's own fault; the row is tried again, a few times
 */
export async function runBulkJob(ctx: Context, actions: Actions, id: number, forMs: number): Promise<boolean> {
  const endsAt = performance.now() + forMs
  let announcedAt = performance.now()
  for (;;) {
    const isLeft = await runNext(ctx, actions, id)
    const now = performance.now()
    if (!isLeft || now - announcedAt >= ANNOUNCE_MS || now >= endsAt) {
      announcedAt = now
      const job = await findJob(ctx, id)
      if (job) announceJob(ctx, job)
    }
    if (!isLeft) return false
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
      const may = await accessOf(tx, actions, job)
      if (may instanceof ApiError) return !(await moveJobEnded(tx, id, 'failed', storedError(may)))
      const row = await claimRow(tx, id)
      if (!row) return !(await moveJobEnded(tx, id, 'done'))
      claimed.line = row.line
      await finishRow({ ...tx, caller: may.caller }, may.action, row)
      return true
    })
  } catch (thrown) {
    if (claimed.line === undefined) throw thrown
    await noteFailure(ctx, { jobId: id, line: claimed.line }, thrown)
    return true
  }
}

async function finishRow(ctx: Context, action: BulkAction, row: RowOfJob): Promise<void> {
  const before = await findDone(ctx, row)
  if (before && !before.isSame) fail('IDEMPOTENCY_KEY_REUSED')
  const result = before?.result ?? (await action.run(ctx, row.project_id, row.input))
  await moveRowDone(ctx, row, { result, isRepeated: before !== undefined })
  await updateCount(ctx, row.job_id, 'done')
}

/** What a refused row wrote is rolled back already. A refusal that a retry may cure is tried again. */
async function noteFailure(ctx: Context, row: { jobId: number; line: number }, thrown: unknown): Promise<void> {
  const refusal = toApiError(thrown, undefined, ctx.requestId)
  const isOwn = refusal.status < 500
  if (!isOwn && (await updateFaults(ctx, row.jobId, row.line)) < MOST_FAULTS) throw thrown
  if (!isOwn) ctx.log.error({ ...row, err: thrown }, 'a row of a bulk job is given up')
  await inTransaction(ctx, async (tx) => {
    const isLive = (await moveJobStarted(tx, row.jobId)) !== undefined
    if (isLive && (await moveRowRefused(tx, row, storedError(refusal)))) await updateCount(tx, row.jobId, 'refused')
  })
}

type Access = { readonly caller: Caller; readonly action: BulkAction }

/** Whether whoever started the job may still do so now, and the project still takes writes; the reason when not. */
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
  // No session acts here: what a job does needs none, and 0 is the id of none.
  const session = { sessionId: 0, restricted: false, stepUpUntil: null }
  return { action, caller: { kind: 'operator', operatorId, email: operator.email, grants, ...session } }
}
