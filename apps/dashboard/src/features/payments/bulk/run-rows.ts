import type { PaymentCreated } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { asApiError } from '../../../api/api-error.ts'
import type { ApiError } from '../../../api/api-error.ts'
import type { LinkRow } from './link-rows.ts'

/** Half of what the server lets one session ask for in a second: the rest of the page goes on working. */
export const ROWS_PER_SECOND = 15

/** Calls on their way at once. */
const LANES = 4

/** When the server says that it was too much. */
const REST_MS = 2000

/** So many lines refused for one reason are no lines that are wrong: something else is. */
const SAME_REFUSALS = 10

export type RowOutcome =
  | { readonly link: PaymentCreated }
  | {
      readonly refusal: string
      /** The server keeps its no for this key: another try needs another one. */
      readonly isKept: boolean
    }

export type RunOptions = {
  readonly rows: readonly LinkRow[]
  readonly send: (row: LinkRow, signal: AbortSignal) => Promise<PaymentCreated>
  readonly onOutcome: (line: number, outcome: RowOutcome) => void
  /** Stops the run; what is on its way is let go, and was perhaps made: the same key finds it again. */
  readonly signal: AbortSignal
  readonly perSecond?: number
  readonly restMs?: number
}

/**
 * Makes the links one by one within the server's rate. Returns the reason when it had to stop before the end: a lost
 * connection, a lost session, or one refusal for all.
 */
export async function runRows(options: RunOptions): Promise<string | undefined> {
  const { rows, send, onOutcome, signal, perSecond = ROWS_PER_SECOND, restMs = REST_MS } = options
  const queue = [...rows]
  const pace = paced(1000 / perSecond)
  let halted: string | undefined
  let [sameCode, sameTimes] = ['', 0]

  const refused = (row: LinkRow, error: ApiError) => {
    onOutcome(row.line, { refusal: textOf(error), isKept: error.code !== 'IDEMPOTENCY_KEY_REUSED' })
    sameTimes = error.code === sameCode ? sameTimes + 1 : 1
    sameCode = error.code
    if (sameTimes === SAME_REFUSALS) halted = allRefusedText(textOf(error))
  }
  const one = async (row: LinkRow) => {
    try {
      onOutcome(row.line, { link: await send(row, signal) })
      sameTimes = 0
    } catch (thrown) {
      if (signal.aborted) return
      const error = asApiError(thrown)
      if (isFinal(error)) return refused(row, error)
      queue.unshift(row)
      if (isTooMuch(error)) pace.rest(restMs)
      else halted = error.message
    }
  }
  const lane = async () => {
    while (halted === undefined && !signal.aborted) {
      const row = queue.shift()
      if (row === undefined) return
      await pace.turn()
      if (halted === undefined && !signal.aborted) await one(row)
      else queue.unshift(row)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return halted
}

function isTooMuch({ status, code }: ApiError): boolean {
  return status === 429 || code === 'IDEMPOTENCY_IN_PROGRESS' || code === 'REQUEST_IN_PROGRESS'
}

/** The server has decided about this line; everything else may be mended and the same call sent again. */
function isFinal(error: ApiError): boolean {
  return !error.isLost && !isTooMuch(error) && error.status >= 400 && error.status < 500 && error.status !== 401
}

function allRefusedText(why: string): string {
  return t`${plural(SAME_REFUSALS, { one: '# line in a row was refused.', other: '# lines in a row were refused.' })} ${why}`
}

function textOf({ code, message, details, fields }: ApiError): string {
  if (code === 'IDEMPOTENCY_KEY_REUSED') return t`A link was made from this line before, with other values.`
  const [first] = Object.values(fields)
  return first ?? (details === undefined || details === message ? message : `${message} ${details}`)
}

/** Gives every caller a moment of its own, `everyMs` apart. */
function paced(everyMs: number) {
  let nextAt = 0
  return {
    turn: async () => {
      const at = Math.max(Date.now(), nextAt)
      nextAt = at + everyMs
      await new Promise((resolve) => setTimeout(resolve, at - Date.now()))
    },
    rest: (ms: number) => {
      nextAt = Math.max(nextAt, Date.now() + ms)
    },
  }
}
