import { type Context, inTransaction } from '../../context.ts'
import { remembered } from '../../memory.ts'
import { isTaken, type Sharing } from './together.ts'

/** A process has so many shared transactions open: while the database works on them, the calls of the next one come in. */
const MOST_OPEN = 2
/** A transaction takes so many calls: more would wait longer for each other than they save. */
const MOST_CALLS = 8
/** While another transaction is open, the next one waits so long for calls: they arrive together, but not in one turn. */
const GATHER_MS = 2
/** A shared transaction waits so long for a lock: a call that has to wait longer waits alone. */
export const SHARED_LOCK_MS = 50

/** PostgreSQL: lock_not_available. */
const LOCK_TIMEOUT = '55P03'

type Work = (ctx: Context) => Promise<unknown>

type Call = {
  readonly ctx: Context
  readonly work: Work
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

const queueOf = remembered((): { waiting: Call[]; open: number; isGathering: boolean } => ({
  waiting: [],
  open: 0,
  isGathering: false,
}))

type Queue = ReturnType<typeof queueOf>

/**
 * Runs the work as `inTransaction` does, in one transaction with that of other calls that come at the same time: they share its
 * round trips and its commit, and the statements of what was made by `together` (0054). When one of them fails or has to wait
 * for a lock, nothing of the transaction happened, and each call runs again in one of its own: the work may run twice.
 */
export function inSharedTransaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  return new Promise((resolve, reject) => {
    const queue = queueOf(ctx)
    queue.waiting.push({ ctx, work, resolve: resolve as Call['resolve'], reject })
    openNext(queue)
  })
}

/** Opens a transaction for the waiting calls: after this turn of the event loop or, while another is open, a little later. */
function openNext(queue: Queue): void {
  if (queue.isGathering || queue.open >= MOST_OPEN || queue.waiting.length === 0) return
  queue.isGathering = true
  const open = () => {
    queue.isGathering = false
    queue.open += 1
    void runAll(queue.waiting.splice(0, MOST_CALLS)).finally(() => {
      queue.open -= 1
      openNext(queue)
    })
    openNext(queue)
  }
  if (queue.open === 0) setImmediate(open)
  else setTimeout(open, GATHER_MS)
}

/** Settles every call. Resolves when the shared transaction has ended; calls that run again alone may still be running. */
async function runAll(calls: readonly Call[]): Promise<void> {
  const [first] = calls
  if (!first) return
  let isUndone = false
  try {
    const results = await inTransaction(first.ctx, async (tx) => {
      const settled = await Promise.allSettled(runEach(tx, calls))
      const failed = settled.find(isRejected)
      if (!failed) return settled.filter(isFulfilled).map(({ value }) => value)
      isUndone = true
      throw failed.reason
    })
    for (const [at, { resolve }] of calls.entries()) resolve(results[at])
  } catch (error) {
    const runsAgain = calls.length > 1 ? isUndone || isRefused(error) : isLockTimeout(error) || isTaken(error)
    for (const { ctx, work, resolve, reject } of calls) {
      if (runsAgain) resolve(inTransaction(ctx, work))
      else reject(error)
    }
  }
}

/** Starts all calls in the open transaction, each as its own caller. */
function runEach(tx: Context, calls: readonly Call[]): Promise<unknown>[] {
  const { db, announced = [], committed = [] } = tx
  const sharing: Sharing = { waiting: new Map(), taken: new Set() }
  return calls.map(({ ctx, work }) => work({ ...ctx, db, announced, committed, sharing }))
}

const isRejected = (one: PromiseSettledResult<unknown>) => one.status === 'rejected'
const isFulfilled = (one: PromiseSettledResult<unknown>) => one.status === 'fulfilled'

/** Whether a statement waited for a lock for as long as it may. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_TIMEOUT
}

/**
 * Whether PostgreSQL refused a statement that was sent with the commit, and so rolled the transaction back. When the connection
 * is lost instead, the outcome of the commit is unknown: the calls fail and do not run again.
 */
function isRefused(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR'
}
