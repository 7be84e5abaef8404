import { t } from '@lingui/core/macro'
import { useMemo } from 'react'

import { useBulkJobs } from '../bulk-jobs/use-bulk-jobs.ts'
import type { Progress, RowResult } from '../bulk-jobs/use-bulk-jobs.ts'
import { linkOfRow } from './link-rows.ts'
import type { LinkRow } from './link-rows.ts'

export type RowOutcome =
  | { readonly link: { readonly reference: string; readonly url: string } }
  | { readonly refusal: string }

export type Outcomes = ReadonlyMap<number, RowOutcome>

export type BulkRun = {
  readonly isRunning: boolean
  /** How far the job under way is. */
  readonly progress: Progress
  /** What became of the lines of jobs that have ended. */
  readonly outcomes: Outcomes
  /** Why it stopped before the end. */
  readonly halted: string | undefined
  /** Makes the links of these rows. */
  readonly start: (rows: readonly LinkRow[]) => Promise<void>
  /** Stops before the next line; what was made stays made. */
  readonly stop: () => void
}

/**
 * Returns a job that makes links on the server. The key of a line is the file's digest and the line: the same file again
 * makes nothing twice in a project.
 */
export function useBulkRun(projectId: string, digest: string): BulkRun {
  const { start, results, ...jobs } = useBulkJobs()
  const outcomes = useMemo(() => new Map(results.flatMap(outcomeOf)), [results])
  const send = (rows: readonly LinkRow[]) => {
    const body = {
      action: 'payment.create',
      rows: rows.map(({ line, values }) => ({ line, key: `${digest}-${line}`, input: linkOfRow(values) })),
    }
    return start([{ projectId, body }])
  }
  return { ...jobs, outcomes, start: send }
}

function outcomeOf(result: RowResult): [number, RowOutcome][] {
  const { line, outcome } = result
  if (outcome === 'not_tried') return []
  if (outcome === 'refused') return [[line, { refusal: refusalOf(result) }]]
  return [[line, { link: { reference: String(result['referenceID']), url: String(result['url']) } }]]
}

function refusalOf({ errorCode, error }: RowResult): string {
  return errorCode === 'IDEMPOTENCY_KEY_REUSED' ? t`A link was made from this line before, with other values.` : error
}
