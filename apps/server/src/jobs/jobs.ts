import type { Context, JobOptions } from '../context.ts'
import type { JobWorker } from '../config/workers.ts'

/** Receives every finished run: its name, its failure or null, and whether it runs only once. */
export type ReportRun = (what: string, failure: string | null, isOnce?: boolean) => void

/** Where work of one kind waits. */
export type Queue<Payload extends object = never> = {
  readonly queue: string
  /** Queues work in the open transaction, so that the work exists exactly when the change that caused it does. */
  readonly send: (ctx: Context, payload: Payload, options?: JobOptions) => Promise<void>
}

/** Background work: a queue, what to do with one of its jobs, and how often it starts automatically. */
export type Job<Payload extends object = never> = Queue<Payload> & {
  /** The worker that takes it, by the name that operators know. */
  readonly worker: JobWorker
  readonly run: (ctx: Context, payload: Payload) => Promise<unknown>
  /** Jobs of this queue that one process runs at the same time. */
  readonly concurrency: number
  /** Seconds without a heartbeat after which another process takes the job over. */
  readonly heartbeatSeconds: number
  /** Seconds after which an unfinished job is abandoned, so that the next one can start; 5 minutes when absent. */
  readonly deadlineSeconds?: number
  /** Starts automatically this often, besides the jobs that are sent. */
  readonly everySeconds?: number
  /** Names that earlier versions gave the queue: jobs that wait there are moved at every start. */
  readonly formerly: readonly string[]
}

type Definition<Payload extends object> = Pick<Job<Payload>, 'worker' | 'run' | 'deadlineSeconds' | 'everySeconds'> & {
  /** A name of its own, or a queue that a module below declares for work it needs from this one. */
  readonly queue: string | Queue<Payload>
  /** 1 when absent. */
  readonly concurrency?: number
  /** 60 when absent. */
  readonly heartbeatSeconds?: number
  readonly formerly?: readonly string[]
}

/** Declares a queue for work of a module above; work of the same module needs only `job`. */
export function queue<Payload extends object>(name: string): Queue<Payload> {
  return { queue: name, send: (ctx, payload, options) => ctx.jobs.send(ctx, name, payload, options) }
}

/** Defines background work; other code sends jobs through the returned value. */
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
