import { asApiError } from '../../../api/api-error.ts'

/** What became of one row. */
export type Outcome = { readonly done: string } | { readonly refusal: string }

export type EachOptions<Row> = {
  readonly rows: readonly Row[]
  /** Does it to one row and says what was done; a repetition carries the same key. */
  readonly act: (row: Row, idempotencyKey: string) => Promise<string>
  readonly onOutcome: (row: Row, outcome: Outcome) => void
  readonly keyOf: (row: Row) => string
  /** Stops before the next row. */
  readonly signal: AbortSignal
  readonly restMs?: number
}

/** When the server says that it was too much. */
const REST_MS = 2_000

/** Tries of one row before its refusal stands. */
const MOST_TRIES = 5

/**
 * Does something to rows one after another. A refusal is that row's outcome and the run goes on; without an answer it
 * stops and returns why: nobody knows whether that row was done, the same key finds out.
 */
export async function runEach<Row>(options: EachOptions<Row>): Promise<string | undefined> {
  const { rows, act, onOutcome, keyOf, signal, restMs = REST_MS } = options
  for (const row of rows) {
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        onOutcome(row, { done: await act(row, keyOf(row)) })
        break
      } catch (thrown) {
        const error = asApiError(thrown)
        if (error.isLost || error.status === 401) return error.message
        if (error.status !== 429 || tries === MOST_TRIES) {
          onOutcome(row, { refusal: error.message })
          break
        }
        await new Promise((resolve) => setTimeout(resolve, restMs))
      }
    }
    if (signal.aborted) return undefined
  }
  return undefined
}
