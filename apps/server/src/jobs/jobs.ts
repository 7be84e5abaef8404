import type { Context } from '../context.ts'

export type JobOptions = {
  /** Not before this time. */
  readonly startAfter?: Date
  /** At most one waiting job of the queue has this key. */
  readonly singletonKey?: string
}

/** Queues work inside the transaction that is open: it exists exactly when the change that asked for it does. */
export type Jobs = {
  readonly send: (ctx: Context, queue: string, data: object, options?: JobOptions) => Promise<void>
}

/** Work in the background: a queue, what to do with one job, and how often it starts by itself. */
export type JobDefinition = {
  readonly queue: string
  readonly run: (ctx: Context, data: never) => Promise<void>
  /** Jobs of this queue that one process runs at the same time. */
  readonly concurrency: number
  /** Seconds without a sign of life after which another process takes the job over. */
  readonly heartbeatSeconds: number
  /** Starts by itself this often, besides what is sent. */
  readonly everySeconds?: number
}
