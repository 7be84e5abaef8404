import * as z from 'zod/mini'

/** `BACKOFF`: it failed, or is behind, and retries automatically; `FATAL`: it continues once an operator has decided. */
const WORKER_STATES = ['RUNNING', 'STOPPED', 'BACKOFF', 'FATAL'] as const

export const Worker = z.object({
  name: z.string(),
  status: z.enum(WORKER_STATES),
  /** Its last work and what is pending, or why it does not run; a sentence. */
  details: z.string(),
})
export type Worker = z.output<typeof Worker>

export const WorkerStatus = z.object({ status: z.array(Worker) })
export const WorkerNames = z.object({ services: z.array(z.string()) })

export const WorkerName = z.object({ name: z.string() })

/** Absent: every worker. */
export const WorkerRestart = z.object({
  name: z.optional(z.string({ error: 'Name must be text' }).check(z.trim())),
})
