import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { createPaymentOnce } from '../../../api/payments.ts'
import { linkOfRow } from './link-rows.ts'
import type { LinkRow } from './link-rows.ts'
import { runRows } from './run-rows.ts'
import type { RowOutcome } from './run-rows.ts'

export type Outcomes = ReadonlyMap<number, RowOutcome>

export type BulkRun = {
  readonly isRunning: boolean
  readonly outcomes: Outcomes
  /** Why it stopped before the end. */
  readonly halted: string | undefined
  /** Makes the links of these rows. */
  readonly start: (rows: readonly LinkRow[]) => Promise<void>
  /** Stops before the next line; what was made stays made. */
  readonly stop: () => void
}

/**
 * Returns a run that makes links. The key of a line is the project, the file's digest and the line: the same file again
 * makes nothing twice. A line the server has refused gets another key for another try.
 */
export function useBulkRun(projectId: string, digest: string): BulkRun {
  const queryClient = useQueryClient()
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map())
  const [isRunning, setIsRunning] = useState(false)
  const [halted, setHalted] = useState<string>()
  const running = useRef<AbortController>(undefined)
  const refusals = useRef(new Map<number, number>())
  useEffect(() => () => running.current?.abort(), [])

  const start = async (rows: readonly LinkRow[]) => {
    const { signal } = (running.current = new AbortController())
    setIsRunning(true)
    setHalted(undefined)
    const reason = await runRows({
      rows,
      signal,
      send: ({ line, values }) => {
        const tries = refusals.current.get(line) ?? 0
        const key = `${projectId}-${digest}-${line}${tries === 0 ? '' : `-${tries + 1}`}`
        return createPaymentOnce(projectId, linkOfRow(values), key, signal)
      },
      onOutcome: (line, outcome) => {
        if ('refusal' in outcome && outcome.isKept) {
          refusals.current.set(line, (refusals.current.get(line) ?? 0) + 1)
        }
        setOutcomes((before) => new Map(before).set(line, outcome))
      },
    })
    setHalted(reason)
    setIsRunning(false)
    void queryClient.invalidateQueries({ queryKey: ['payments'] })
    void queryClient.invalidateQueries({ queryKey: ['customers'] })
  }
  return { isRunning, outcomes, halted, start, stop: () => running.current?.abort() }
}
