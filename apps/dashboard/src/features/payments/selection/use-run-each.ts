import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { randomId } from '../../../lib/random-id.ts'
import { runEach } from './run-each.ts'
import type { Outcome } from './run-each.ts'

export type EachRun = {
  readonly isRunning: boolean
  /** What became of the payments tried so far, by reference. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** Why it stopped before the end. */
  readonly halted: string | undefined
  /** Goes through those that were not tried yet; the note says why, where one is asked for. */
  readonly start: (rows: readonly PaymentRow[], note: string) => Promise<void>
  /** Stops before the next one; what is on its way comes to its end. */
  readonly stop: () => void
}

export type Act = (row: PaymentRow, idempotencyKey: string, note: string) => Promise<string>

/** Returns a run over payments that can be started, watched and stopped; every list is read again at its end. */
export function useRunEach(act: Act): EachRun {
  const client = useQueryClient()
  const running = useRef<AbortController>(undefined)
  const [name] = useState(randomId)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [isRunning, setIsRunning] = useState(false)
  const [halted, setHalted] = useState<string>()
  useEffect(() => () => running.current?.abort(), [])

  const start = async (rows: readonly PaymentRow[], note: string) => {
    const { signal } = (running.current = new AbortController())
    setIsRunning(true)
    setHalted(undefined)
    const reason = await runEach({
      rows: rows.filter(({ referenceId }) => !outcomes.has(referenceId)),
      signal,
      keyOf: ({ referenceId }) => `${name}-${referenceId}`,
      act: (row, key) => act(row, key, note),
      onOutcome: ({ referenceId }, outcome) => setOutcomes((before) => new Map(before).set(referenceId, outcome)),
    })
    setHalted(reason)
    setIsRunning(false)
    void client.invalidateQueries({ queryKey: ['payments'] })
  }
  return { isRunning, outcomes, halted, start, stop: () => running.current?.abort() }
}
