import type { PaymentCreated } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RequestError } from '../../../api/request-error.ts'
import { createPaymentOnce } from '../../../api/payments.ts'
import { runMany, type Pace } from '../../../api/run-many.ts'
import { linkOfRow, type LinkRow } from './link-rows.ts'

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

/** Calls on their way at once. */
const LANES = 4

export type RowOutcome =
  | { readonly link: PaymentCreated }
  | {
      readonly refusal: string
      /** The server keeps its no for this key: another try needs another one. */
      readonly isKept: boolean
    }

export type RunOptions = Pace & {
  readonly rows: readonly LinkRow[]
  readonly send: (row: LinkRow, signal: AbortSignal) => Promise<PaymentCreated>
  readonly onOutcome: (line: number, outcome: RowOutcome) => void
  /** Stops the run; what is on its way is let go, and was perhaps made: the same key finds it again. */
  readonly signal: AbortSignal
}

/** Makes the links one by one within the server's rate. Returns the reason when it had to stop before the end. */
export function runRows({ send, onOutcome, signal, ...rest }: RunOptions): Promise<string | undefined> {
  return runMany({
    ...rest,
    signal,
    lanes: LANES,
    act: (row) => send(row, signal),
    onDone: ({ line }, link) => onOutcome(line, { link }),
    onRefused: ({ line }, error) =>
      onOutcome(line, { refusal: textOf(error), isKept: error.code !== 'IDEMPOTENCY_KEY_REUSED' }),
    allRefusedText: (lines, error) => allRefusedText(lines, textOf(error)),
  })
}

function allRefusedText(lines: number, why: string): string {
  return t`${plural(lines, { one: '# line in a row was refused.', other: '# lines in a row were refused.' })} ${why}`
}

function textOf({ code, message, details, fields }: RequestError): string {
  if (code === 'IDEMPOTENCY_KEY_REUSED') return t`A link was made from this line before, with other values.`
  const [first] = Object.values(fields)
  return first ?? (details === undefined || details === message ? message : `${message} ${details}`)
}
