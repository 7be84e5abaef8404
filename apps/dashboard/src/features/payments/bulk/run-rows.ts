import type { PaymentCreated } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import type { ApiError } from '../../../api/api-error.ts'
import { runMany } from '../run-many.ts'
import type { Pace } from '../run-many.ts'
import type { LinkRow } from './link-rows.ts'

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

function textOf({ code, message, details, fields }: ApiError): string {
  if (code === 'IDEMPOTENCY_KEY_REUSED') return t`A link was made from this line before, with other values.`
  const [first] = Object.values(fields)
  return first ?? (details === undefined || details === message ? message : `${message} ${details}`)
}
