import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { runMany, type Pace } from '../../../api/run-many.ts'
import { randomId } from '../../../lib/random-id.ts'

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

/** What became of one row. */
export type Outcome = { readonly done: string } | { readonly refusal: string }

export type EachOptions<Row> = Pace & {
  readonly rows: readonly Row[]
  /** Does it to one row and says what was done; a repetition carries the same key. */
  readonly act: (row: Row, idempotencyKey: string) => Promise<string>
  readonly onOutcome: (row: Row, outcome: Outcome) => void
  readonly keyOf: (row: Row) => string
  /** Stops before the next row. */
  readonly signal: AbortSignal
}

/** Does something to payments one after another. Returns the reason when it had to stop before the end. */
export function runEach<Row>({ act, keyOf, onOutcome, ...rest }: EachOptions<Row>): Promise<string | undefined> {
  return runMany({
    ...rest,
    lanes: 1,
    act: (row) => act(row, keyOf(row)),
    onDone: (row, done) => onOutcome(row, { done }),
    // What to do instead says more than that it was refused.
    onRefused: (row, { message, details }) => onOutcome(row, { refusal: details || message }),
    allRefusedText: (rows, { message }) => allRefusedText(rows, message),
  })
}

function allRefusedText(payments: number, why: string): string {
  return t`${plural(payments, { one: '# payment in a row was refused.', other: '# payments in a row were refused.' })} ${why}`
}
