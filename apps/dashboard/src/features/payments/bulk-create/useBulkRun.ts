import { t } from '@lingui/core/macro'
import { useMemo } from 'react'

import { useBulkJobs } from '../bulk-jobs/use-bulk-jobs.ts'
import type { Progress, RowResult } from '../bulk-jobs/use-bulk-jobs.ts'
import { linkOfRow } from './link-rows.ts'
import type { LinkRow } from './link-rows.ts'

export type RowOutcome =
  | { readonly link: { readonly reference: string; readonly url: string } }
  | { readonly refusal: string; readonly hasOpenLink: boolean }

export type Outcomes = ReadonlyMap<number, RowOutcome>

export type BulkRun = {
  readonly isRunning: boolean
  /** The progress of the running job. */
  readonly progress: Progress
  /** The results of the lines of finished jobs. */
  readonly outcomes: Outcomes
  /** Why it stopped early. */
  readonly halted: string | undefined
  /** Creates the links of these rows; it ends open links of their customers only if told to. */
  readonly start: (rows: readonly LinkRow[], options?: { readonly mayReplace: boolean }) => Promise<void>
  /** Stops before the next line; created links remain. */
  readonly stop: () => void
}

/**
 * Returns a job that creates links on the server. The key of a line is the file's digest and the line, so the same file never
 * creates a link twice in a project.
 */
export function useBulkRun(projectId: string, digest: string): BulkRun {
  const { start, results, ...jobs } = useBulkJobs()
  const outcomes = useMemo(() => new Map(results.flatMap(outcomeOf)), [results])
  const send: BulkRun['start'] = (rows, { mayReplace } = { mayReplace: false }) => {
    const body = {
      action: 'payment.create',
      ...(mayReplace && { shared: { replace: true } }),
      rows: rows.map(({ line, values }) => ({ line, key: `${digest}-${line}`, input: linkOfRow(values) })),
    }
    return start([{ projectId, body }])
  }
  return { ...jobs, outcomes, start: send }
}

function outcomeOf(result: RowResult): [number, RowOutcome][] {
  const { line, outcome } = result
  if (outcome === 'not_tried') return []
  if (outcome === 'refused') {
    return [[line, { refusal: refusalOf(result), hasOpenLink: result.errorCode === 'CUSTOMER_HAS_OPEN_LINK' }]]
  }
  return [[line, { link: { reference: String(result['referenceID']), url: String(result['url']) } }]]
}

function refusalOf({ errorCode, error }: RowResult): string {
  if (errorCode === 'IDEMPOTENCY_KEY_REUSED') return t`A link was made from this line before, with other values.`
  if (errorCode === 'CUSTOMER_HAS_OPEN_LINK') return t`This customer already has an open link; it was left as it is.`
  return error
}
