import { plural, t } from '@lingui/core/macro'

import { runMany } from '../run-many.ts'
import type { Pace } from '../run-many.ts'

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
