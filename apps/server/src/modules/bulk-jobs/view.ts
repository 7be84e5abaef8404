import {
  BULK_RESULTS_DAYS,
  type BulkJob,
  type BulkJobRow,
  type BulkResultLine,
} from '@kassa/contract/bulk-jobs/schemas.ts'

import type { ShownJob } from './store.ts'
import type { RowOfJob } from './tables.ts'

const DAY_MS = 24 * 3_600_000

/** How long after its end a job is kept, in milliseconds. */
export const RESULTS_MS = BULK_RESULTS_DAYS * DAY_MS

/** A job as the contract shows it. */
export function jobView(job: ShownJob): BulkJob {
  return {
    id: job.id,
    projectID: job.project_id,
    action: job.action,
    status: job.status,
    total: job.total,
    done: job.done,
    refused: job.refused,
    isTruncated: job.truncated,
    startedBy: job.started_by,
    createdAt: job.created_at,
    endedAt: job.ended_at,
    resultsUntil: job.ended_at && new Date(job.ended_at.getTime() + RESULTS_MS),
    failure: job.failure,
  }
}

/** A row as the contract shows it; a row in progress still counts as waiting. */
export function rowView({ line, key, status, input, result, error }: RowOfJob): BulkJobRow {
  return { line, key, status: status === 'running' ? 'waiting' : status, input, result, error }
}

/** A row as a line of the result file. */
export function resultLine({ line, status, input, result, error }: RowOfJob): BulkResultLine {
  return {
    ...input,
    ...result,
    line,
    outcome: status === 'done' || status === 'refused' ? status : 'not_tried',
    errorCode: error?.code ?? '',
    error: error === null ? '' : sentenceOf(error),
  }
}

/** Picks the most useful sentence: the fault of a field over a general error, what to do instead over a refusal. */
function sentenceOf({ fields, details, message }: NonNullable<RowOfJob['error']>): string {
  return Object.values(fields)[0] ?? (details === '' ? message : details)
}
