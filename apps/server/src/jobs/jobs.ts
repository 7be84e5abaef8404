import type { Context, JobOptions } from '../context.ts'
import type { JobWorker } from '../config/workers.ts'

/** Receives every finished run: its name, its failure or null, and whether it runs only once. */
export type ReportRun = (what: string, failure: string | null, isOnce?: boolean) => void

/** Where work of one kind waits. */
export type Queue<Payload extends object = never> = {
  readonly queue: string
  /** Queues work in the transaction that is open: it exists exactly when the change that asked for it does. */
  readonly send: (ctx: Context, payload: Payload, options?: JobOptions) => Promise<void>
}

/** Background work: a queue, what to do with one job of it, and how often it starts by itself. */
export type Job<Payload extends object = never> = Queue<Payload> & {
  /** The worker that takes it, by the name that operators know. */
  readonly worker: JobWorker
  readonly run: (ctx: Context, payload: Payload) => Promise<unknown>
  /** Jobs of this queue that one process runs at the same time. */
  readonly concurrency: number
  /** Seconds without a sign of life after which another process takes the job over. */
  readonly heartbeatSeconds: number
  /** Seconds after which an unfinished job is abandoned, so that the next one can start; 5 minutes when absent. */
  readonly deadlineSeconds?: number
  /** Starts by itself this often, besides what is sent. */
  readonly everySeconds?: number
  /** Names that earlier versions gave the queue: what waits there is moved at every start. */
  readonly formerly: readonly string[]
}

type Definition<Payload extends object> = Pick<Job<Payload>, 'worker' | 'run' | 'deadlineSeconds' | 'everySeconds'> & {
  /** A name of its own, or the queue that a module below declares for what it asks of this one. */
  readonly queue: string | Queue<Payload>
  /** 1 when absent. */
  readonly concurrency?: number
  /** 60 when absent. */
  readonly heartbeatSeconds?: number
  readonly formerly?: readonly string[]
}

/** Declares a queue for work that a module above does; work of the own module needs only `job`. */
export function queue<Payload extends object>(name: string): Queue<Payload> {
  return { queue: name, send: (ctx, payload, options) => ctx.jobs.send(ctx, name, payload, options) }
}

/** Defines background work; the result is what others send it with. */
export function job<Payload extends object = object>({
  queue: where,
  concurrency = 1,
  heartbeatSeconds = 60,
  formerly = [],
  ...rest
}: Definition<Payload>): Job<Payload> {
  return {
    ...(typeof where === 'string' ? queue<Payload>(where) : where),
    concurrency,
    heartbeatSeconds,
    formerly,
    ...rest,
  }
}
