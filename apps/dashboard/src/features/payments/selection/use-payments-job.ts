import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { useMemo, useState } from 'react'

import { randomId } from '../../../lib/random-id.ts'
import { shortReference } from '../../../lib/text/short-reference.ts'
import { useBulkJobs } from '../bulk-jobs/use-bulk-jobs.ts'
import type { JobRequest, RowResult } from '../bulk-jobs/use-bulk-jobs.ts'
import { rowTitle } from '../payment/row-actions.ts'
import type { BulkTask } from './bulk-actions.ts'

/** What became of one payment; absent while it waits. */
export type Outcome = { readonly done: string } | { readonly refusal: string }

export type PaymentLine = { readonly reference: string; readonly title: string; readonly outcome: Outcome | undefined }

export type PaymentsJob = {
  readonly isRunning: boolean
  /** Nothing has been tried yet. */
  readonly isNew: boolean
  readonly counts: { readonly done: number; readonly refused: number; readonly total: number }
  /** Payments that were not tried. */
  readonly left: number
  /** The payments with what became of each; of all that match, those that were tried. */
  readonly lines: readonly PaymentLine[]
  /** Why it stopped before the end. */
  readonly halted: string | undefined
  /** Does it to those that were not tried yet; the note says why, where one is asked for. */
  readonly start: (note: string) => Promise<void>
  /** Stops before the next one. */
  readonly stop: () => void
}

/** Returns a task over payments as jobs on the server, one per project, that can be started, watched and stopped. */
export function usePaymentsJob(task: BulkTask): PaymentsJob {
  const { isRunning, progress, results, halted, start, stop } = useBulkJobs()
  const [name] = useState(randomId)
  const outcomes = useMemo(() => outcomesOf(task, results), [task, results])
  const lines = linesOf(task, outcomes)
  const refusals = [...outcomes.values()].filter((outcome) => 'refusal' in outcome).length
  const counts = {
    done: outcomes.size - refusals + progress.done,
    refused: refusals + progress.refused,
    total: task.whole === undefined ? task.count : results.length + progress.total || task.count,
  }
  const untried = task.rows.filter(({ referenceId }) => !outcomes.has(referenceId))
  const left = task.whole === undefined ? untried.length : wholeLeft(task, results)
  const begin = (note: string) => start(requestsOf(task, untried, { name, note }))
  return {
    isRunning,
    isNew: !isRunning && results.length === 0 && halted === undefined,
    counts,
    left,
    lines,
    halted,
    start: begin,
    stop,
  }
}

/** The jobs of a task: its payments by project, or all that match in each. */
function requestsOf(
  task: BulkTask,
  untried: readonly PaymentRow[],
  { name, note }: { name: string; note: string },
): JobRequest[] {
  const { whole, does: action } = task
  const shared = note === '' ? {} : { shared: { note } }
  if (whole !== undefined) {
    return whole.projectIds.map((projectId) => ({ projectId, body: { action, filter: whole.filter, ...shared } }))
  }
  const lineOf = new Map(task.rows.map(({ referenceId }, at) => [referenceId, at + 1]))
  const byProject = Map.groupBy(untried, ({ externalPlatformID }) => String(externalPlatformID))
  return [...byProject].map(([projectId, rows]) => ({
    projectId,
    body: {
      action,
      rows: rows.map(({ referenceId }) => ({
        // A repetition after a lost answer does nothing twice; another press of the same button is meant.
        key: `${name}-${referenceId}`,
        line: lineOf.get(referenceId) ?? 1,
        input: { referenceID: referenceId },
      })),
      ...shared,
    },
  }))
}

function outcomesOf(task: BulkTask, results: readonly RowResult[]): Map<string, Outcome> {
  return new Map(
    results.flatMap((result): [string, Outcome][] => {
      const reference = String(result['referenceID'])
      if (result.outcome === 'not_tried') return []
      return [[reference, result.outcome === 'refused' ? { refusal: result.error } : { done: task.doneText(result) }]]
    }),
  )
}

function linesOf(task: BulkTask, outcomes: ReadonlyMap<string, Outcome>): PaymentLine[] {
  if (task.whole === undefined) {
    return task.rows.map((row) => ({
      reference: row.referenceId,
      title: rowTitle(row),
      outcome: outcomes.get(row.referenceId),
    }))
  }
  return [...outcomes].map(([reference, outcome]) => ({ reference, title: shortReference(reference), outcome }))
}

function wholeLeft({ count }: BulkTask, results: readonly RowResult[]): number {
  return results.length === 0 ? count : results.filter(({ outcome }) => outcome === 'not_tried').length
}
