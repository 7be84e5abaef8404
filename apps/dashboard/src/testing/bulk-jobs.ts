/** Bulk jobs of a server that a test answers for by hand. */
import { BulkJob } from '@kassa/contract/bulk-jobs/schemas.ts'
import type { BulkJobState } from '@kassa/contract/bulk-jobs/machine.ts'
import { encode } from 'zod/mini'

import type { Answers, SentCall } from './stub-server.ts'

type SentRow = { readonly line: number; readonly key: string; readonly input: Readonly<Record<string, unknown>> }

export type SentJob = {
  readonly action: string
  readonly rows?: readonly SentRow[]
  readonly filter?: object
  readonly shared?: object
}

/** What becomes of a row: its result, or a refusal in words. */
export type RowFate = { readonly result: object } | { readonly errorCode: string; readonly error: string }

export type BulkServer = {
  readonly answers: Answers
  /** What was sent to start jobs, oldest first. */
  readonly sent: SentJob[]
  /** While true, jobs stand at their first row. */
  isHeld: boolean
}

type Job = {
  readonly id: number
  readonly rows: readonly SentRow[]
  readonly action: string
  tried: number
  status: BulkJobState
}

/** Jobs that one test may start. */
const MOST_JOBS = 5

/** Answers for the jobs of a project; `found` are the inputs that a filter lets through. */
export function bulkServer(
  fateOf: (row: SentRow) => RowFate,
  { projectId = 7, found = [] }: { readonly projectId?: number; readonly found?: readonly object[] } = {},
): BulkServer {
  const path = `/external-platform/${projectId}/bulk-job`
  const jobs: Job[] = []
  const view = (job: Job) =>
    viewOf(job, projectId, job.rows.slice(0, job.tried).filter((row) => 'error' in fateOf(row)).length)
  const start = ({ body }: SentCall) => {
    const request = body as SentJob
    server.sent.push(request)
    const asked = request.rows ?? found.map((input, at) => ({ line: at + 1, key: '', input }))
    const rows = asked.map((row) => ({ ...row, input: { ...request.shared, ...row.input } }))
    const job: Job = { id: jobs.length + 1, rows, action: request.action, tried: 0, status: 'queued' }
    jobs.push(job)
    return view(job)
  }
  const ofJob = (id: number, work: (job: Job) => unknown) => () => {
    const job = jobs[id - 1]
    return job && work(job)
  }
  const ask = (job: Job) => {
    if (server.isHeld || job.status === 'cancelled') return view(job)
    return view(Object.assign(job, { status: 'done', tried: job.rows.length }))
  }
  const cancel = (job: Job) => view(Object.assign(job, { status: 'cancelled' }))
  const result = (job: Job) =>
    new Response(
      job.rows.map((row, at) => `${JSON.stringify(lineOf(row, at < job.tried ? fateOf(row) : undefined))}\n`).join(''),
    )
  const ids = Array.from({ length: MOST_JOBS }, (_, at) => at + 1)
  const server: BulkServer = {
    sent: [],
    isHeld: false,
    answers: {
      [`POST ${path}`]: start,
      [`GET ${path}`]: () => jobs.map(view).toReversed(),
      ...Object.fromEntries(
        ids.flatMap((id) => [
          [`GET ${path}/${id}`, ofJob(id, ask)],
          [`POST ${path}/${id}/cancel`, ofJob(id, cancel)],
          [`GET ${path}/${id}/result`, ofJob(id, result)],
        ]),
      ),
    },
  }
  return server
}

function viewOf({ id, rows, action, tried, status }: Job, projectID: number, refused: number): unknown {
  const endedAt = status === 'queued' || status === 'running' ? null : new Date('2026-11-20T05:11:00Z')
  return encode(BulkJob, {
    id,
    projectID,
    action,
    status,
    total: rows.length,
    done: tried - refused,
    refused,
    isTruncated: false,
    startedBy: 'owner@shop.example',
    createdAt: new Date('2026-11-20T05:10:00Z'),
    endedAt,
    resultsUntil: endedAt,
    failure: null,
  })
}

function lineOf({ line, input }: SentRow, fate: RowFate | undefined): object {
  const none = { errorCode: '', error: '' }
  if (fate === undefined) return { line, ...input, outcome: 'not_tried', ...none }
  return 'error' in fate
    ? { line, ...input, outcome: 'refused', ...fate }
    : { line, ...input, outcome: 'done', ...fate.result, ...none }
}
