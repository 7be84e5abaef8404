import type { ProcessRole } from './config.ts'

/** Workers that take jobs, or send, in processes with the role worker; the names are the specification's (api.md C10). */
export const JOB_WORKERS = [
  'deposit-processor',
  'account-processor',
  'webhook-processor',
  'email-processor',
  'rate-processor',
] as const
export type JobWorker = (typeof JOB_WORKERS)[number]

/** Monitors nodes in processes with the role watcher; the specification has no name for it. */
export const NODE_WORKER = 'node-processor'

/** Signs and broadcasts in processes with the role sender. */
export const SENDER_WORKER = 'payout-processor'

/** Workers that may run loops. */
export type LoopWorker = JobWorker | typeof NODE_WORKER | typeof SENDER_WORKER

/** The workers of each role that has any; `watcher` has one more for each blockchain. */
export const WORKERS_OF_ROLE = {
  worker: JOB_WORKERS,
  watcher: [NODE_WORKER],
  sender: [SENDER_WORKER],
} as const satisfies Partial<Record<ProcessRole, readonly LoopWorker[]>>
export type WorkingRole = keyof typeof WORKERS_OF_ROLE

/** Returns the name of the worker that reads a blockchain. */
export function listenerName(code: string): string {
  return `${code.toLowerCase()}-listener`
}
