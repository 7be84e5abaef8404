import type { Context } from '../context.ts'

/** Receives every finished run: its name, its failure or null, and whether it runs only once. */
export type ReportRun = (what: string, failure: string | null, isOnce?: boolean) => void

/** Background work: a queue, what to do with one job, and how often it starts by itself. */
export type JobDefinition = {
  readonly queue: string
  readonly run: (ctx: Context, data: never) => Promise<void>
  /** Waits for what its jobs began and left running. */
  readonly drain?: () => Promise<void>
  /** Jobs of this queue that one process runs at the same time. */
  readonly concurrency: number
  /** Seconds without a sign of life after which another process takes the job over. */
  readonly heartbeatSeconds: number
  /** Seconds after which an unfinished job is abandoned, so that the next one can start; 5 minutes when absent. */
  readonly deadlineSeconds?: number
  /** Starts by itself this often, besides what is sent. */
  readonly everySeconds?: number
}
