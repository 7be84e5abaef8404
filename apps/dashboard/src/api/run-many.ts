import { asRequestError } from './request-error.ts'
import type { RequestError } from './request-error.ts'

/** Half of what the server lets one session ask for in a second: the rest of the page goes on working. */
export const ROWS_PER_SECOND = 15

/** When the server says that it was too much. */
const REST_MS = 2000

/** Times one row may be too much before the run stops. */
const MOST_TRIES = 5

/** So many rows refused for one reason are no rows that are wrong: something else is. */
const SAME_REFUSALS = 10

/** How fast a run goes. */
export type Pace = { readonly perSecond?: number; readonly restMs?: number }

export type ManyOptions<Row, Done> = Pace & {
  readonly rows: readonly Row[]
  /** One call for one row; every repetition must carry the same key. */
  readonly act: (row: Row) => Promise<Done>
  readonly onDone: (row: Row, done: Done) => void
  /** The server has decided against this row. */
  readonly onRefused: (row: Row, error: RequestError) => void
  /** Says that so many rows in a row were refused for one reason. */
  readonly allRefusedText: (rows: number, error: RequestError) => string
  /** Stops before the next row. */
  readonly signal: AbortSignal
  /** Calls on their way at once. */
  readonly lanes: number
}

/**
 * Makes one call per row within the server's rate. A refusal is that row's outcome and the run goes on. Returns the
 * reason when it had to stop before the end: a lost connection or session, a server that is away or broken, or one
 * refusal for all. A row it stopped at has no outcome: the same key finds out what became of it.
 */
export async function runMany<Row, Done>(options: ManyOptions<Row, Done>): Promise<string | undefined> {
  const { rows, act, onDone, onRefused, allRefusedText, signal, lanes } = options
  const { perSecond = ROWS_PER_SECOND, restMs = REST_MS } = options
  const queue = [...rows]
  const pace = paced(1000 / perSecond)
  const tries = new Map<Row, number>()
  let halted: string | undefined
  let [sameCode, sameTimes] = ['', 0]

  const refused = (row: Row, error: RequestError) => {
    onRefused(row, error)
    sameTimes = error.code === sameCode ? sameTimes + 1 : 1
    sameCode = error.code
    if (sameTimes === SAME_REFUSALS) halted = allRefusedText(sameTimes, error)
  }
  const tooMuch = (row: Row, error: RequestError) => {
    const times = (tries.get(row) ?? 0) + 1
    tries.set(row, times)
    if (times === MOST_TRIES) halted = error.message
    else pace.rest(restMs)
  }
  const one = async (row: Row) => {
    try {
      onDone(row, await act(row))
      sameTimes = 0
    } catch (thrown) {
      const error = asRequestError(thrown)
      if (isFinal(error)) return refused(row, error)
      if (signal.aborted) return
      queue.unshift(row)
      if (isTooMuch(error)) tooMuch(row, error)
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
  await Promise.all(Array.from({ length: lanes }, lane))
  return halted
}

function isTooMuch({ status, code }: RequestError): boolean {
  return status === 429 || code === 'IDEMPOTENCY_IN_PROGRESS' || code === 'REQUEST_IN_PROGRESS'
}

/** The server has decided about this row; everything else may be mended and the same call sent again. */
function isFinal(error: RequestError): boolean {
  return !error.isLost && !isTooMuch(error) && error.status >= 400 && error.status < 500 && error.status !== 401
}

/** Gives every caller a moment of its own, `everyMs` apart. */
function paced(everyMs: number) {
  let nextAt = 0
  return {
    turn: async () => {
      const now = Date.now()
      const at = Math.max(now, nextAt)
      nextAt = at + everyMs
      await new Promise((resolve) => setTimeout(resolve, at - now))
    },
    rest: (ms: number) => {
      nextAt = Math.max(nextAt, Date.now() + ms)
    },
  }
}
