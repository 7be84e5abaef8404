import type { Context, JobOptions } from '../../context.ts'
import type { Job } from '../../jobs/jobs.ts'
import type { Process, Scheduler } from './scheduler.ts'
import type { Sessions } from './sessions.ts'

type SimulatedJob = {
  readonly queue: string
  readonly data: object
  readonly singletonKey: string | undefined
  startAt: number
  failures: number
  takenBy: Process | undefined
}

/** Queued work, stored by the world: it exists exactly when the transaction that enqueued it committed. */
export type SimulatedQueue = {
  readonly send: (ctx: Context, queue: string, data: object, options?: JobOptions) => Promise<void>
  /** Runs jobs one after another until the process is killed. */
  readonly work: (ctx: Context, process: Process) => Promise<void>
  /** Queues the jobs of a process that died again. */
  readonly abandon: (process: Process) => void
  readonly size: () => number
}

/** Like the real queue: `RETRY_LIMIT` and the backoff of jobs/queue.ts. */
const MOST_FAILURES = 10

/** Makes a queue that runs the jobs of these definitions; others are dropped. */
export function createQueue(scheduler: Scheduler, sessions: Sessions, definitions: readonly Job[]): SimulatedQueue {
  const byName = new Map(definitions.map((definition) => [definition.queue, definition]))
  const jobs: SimulatedJob[] = []
  const isWaiting = (job: SimulatedJob) => job.takenBy === undefined

  const add = (job: SimulatedJob) => {
    const twin = job.singletonKey !== undefined && jobs.some((each) => isTwin(each, job))
    if (!twin) jobs.push(job)
  }
  const isTwin = (each: SimulatedJob, job: SimulatedJob) =>
    isWaiting(each) && each.queue === job.queue && each.singletonKey === job.singletonKey

  const take = (process: Process): SimulatedJob | undefined => {
    const job = jobs.find((each) => isWaiting(each) && each.startAt <= scheduler.now())
    if (job) job.takenBy = process
    return job
  }
  const finish = (job: SimulatedJob) => void jobs.splice(jobs.indexOf(job), 1)
  const fail = (job: SimulatedJob) => {
    job.failures += 1
    job.takenBy = undefined
    job.startAt = scheduler.now() + 1000 * 2 ** job.failures
    if (job.failures > MOST_FAILURES) finish(job)
  }

  return {
    send: async (_ctx, queue, data, { startAfter, singletonKey } = {}) => {
      if (!byName.has(queue)) return
      const startAt = startAfter?.getTime() ?? 0
      sessions.onCommit(() => add({ queue, data, singletonKey, startAt, failures: 0, takenBy: undefined }))
    },
    work: async (ctx, process) => {
      while (!process.isDead) {
        const job = await scheduler.point('takes a job', () => take(process), {
          readyAt: () => Math.min(Infinity, ...jobs.filter(isWaiting).map(({ startAt }) => startAt)),
        })
        if (!job) continue
        scheduler.note(`runs ${job.queue}`)
        try {
          await byName.get(job.queue)?.run(ctx, job.data as never)
          finish(job)
        } catch (error) {
          if (process.isDead) throw error
          fail(job)
        }
      }
    },
    abandon: (process) => {
      for (const job of jobs.filter(({ takenBy }) => takenBy === process)) {
        job.takenBy = undefined
        job.startAt = scheduler.now() + (byName.get(job.queue)?.heartbeatSeconds ?? 60) * 1000
      }
    },
    size: () => jobs.length,
  }
}
