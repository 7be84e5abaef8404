import type { Worker } from '@kassa/contract/workers/schemas.ts'

/** Workers that take jobs, or send, in processes with the role worker; the names are the specification's (api.md C10). */
export const JOB_WORKERS = [
  'deposit-processor',
  'account-processor',
  'webhook-processor',
  'email-processor',
  'rate-processor',
] as const

/** Looks after nodes in processes with the role watcher; the specification has no name for it. */
export const NODE_WORKER = 'node-processor'

/** Whose jobs a queue holds, by how its name begins; what no line names is housekeeping. */
const QUEUES: readonly (readonly [begins: string, worker: (typeof JOB_WORKERS)[number]])[] = [
  ['watch.', 'deposit-processor'],
  ['payments.', 'deposit-processor'],
  ['webhooks.', 'webhook-processor'],
  ['auth.mail', 'email-processor'],
  ['prices.', 'rate-processor'],
]

/** Returns the worker that takes the jobs of a queue. */
export function workerOfQueue(queue: string): (typeof JOB_WORKERS)[number] {
  return QUEUES.find(([begins]) => queue.startsWith(begins))?.[1] ?? 'account-processor'
}

/** Returns the name of the worker that reads a blockchain. */
export function listenerName(code: string): string {
  return `${code.toLowerCase()}-listener`
}

/** A process without a sign of life for this long is gone: it says four times in between that it is there. */
const GONE_SECONDS = 20

/** A reader that has heard no node for this long is not well, whatever it wrote down before. */
const UNHEARD_SECONDS = 120

/** What one process last said of a worker; all in seconds ago. */
export type Heartbeat = {
  readonly name: string
  readonly beat: number
  readonly begun: number
  readonly turned: number | null
  readonly failure: string | null
  readonly isRestarting: boolean
}

/** How a blockchain is read, as its leader wrote it down. */
export type Reading = {
  readonly state: 'running' | 'behind' | 'halted'
  readonly reason: string | null
  readonly blocksBehind: number
  /** Seconds since a node was last heard. */
  readonly looked: number | null
}

type State = Omit<Worker, 'name'>

/** Whether the process that said this still runs. */
export function isAlive({ beat }: Heartbeat): boolean {
  return beat < GONE_SECONDS
}

/** Returns how a worker is that takes jobs or looks after nodes: well as long as one process gets on with it. */
export function workerState(
  beats: readonly Heartbeat[],
  { role, waiting }: { role: string; waiting: number | null },
): State {
  const alive = beats.filter(isAlive)
  if (alive.length === 0) {
    return stopped(beats, `No process does this: start one with the role ${role} (KASSA_ROLES)`, waiting ?? 0)
  }
  const failing = alive.flatMap(({ failure }) => failure ?? [])
  const queue = waiting === null ? '' : `, ${waitingText(waiting)}`
  if (failing.length === alive.length) {
    return {
      status: 'BACKOFF',
      details: `The last turn failed: ${sentence(failing[0] ?? '')} It is tried again${queue}.`,
    }
  }
  if (alive.every(({ isRestarting }) => isRestarting)) return RESTARTING
  const turns = alive.flatMap(({ turned }) => turned ?? [])
  const last =
    turns.length > 0
      ? `Last turn ${ago(Math.min(...turns))}`
      : `Started ${ago(Math.min(...alive.map(({ begun }) => begun)))}`
  return { status: 'RUNNING', details: `${last}${queue}${inProcesses(alive.length)}.` }
}

/** Whether something is not up to date for this worker: a job that failed and is tried again is no fault of the install. */
export function isLate(name: string, status: Worker['status']): boolean {
  if (status === 'BACKOFF') return !JOB_WORKERS.some((worker) => worker === name)
  return status !== 'RUNNING'
}

/** Returns how the reader of a blockchain is; processes that read nothing else stand ready to take over. */
export function listenerState(beats: readonly Heartbeat[], reading: Reading | null): State {
  if (reading?.state === 'halted') return { status: 'FATAL', details: sentence(reading.reason ?? 'Reading was halted') }
  const alive = beats.filter(isAlive)
  if (alive.length === 0) return stopped(beats, 'No process reads it: start one with the role watcher (KASSA_ROLES)')
  if (alive.every(({ isRestarting }) => isRestarting)) return RESTARTING
  if (reading === null) return { status: 'BACKOFF', details: 'No block was read yet.' }
  const behind = `${counted(reading.blocksBehind, 'block')} behind`
  if (reading.state === 'behind') return { status: 'BACKOFF', details: sentence(reading.reason ?? `It is ${behind}`) }
  const { looked } = reading
  if (looked === null) return { status: 'BACKOFF', details: `No node has answered yet, ${behind}.` }
  const isHeard = looked < UNHEARD_SECONDS
  return {
    status: isHeard ? 'RUNNING' : 'BACKOFF',
    details: `Last look ${ago(looked)}, ${behind}${inProcesses(alive.length)}.`,
  }
}

const RESTARTING: State = { status: 'RUNNING', details: 'Begins again as soon as its current turn has ended.' }

function stopped(beats: readonly Heartbeat[], why: string, waiting = 0): State {
  const last = Math.min(...beats.map(({ beat }) => beat))
  const since = beats.length === 0 ? '' : ` The last sign of life came ${ago(last)}.`
  const queue = waiting === 0 ? '' : ` ${sentence(waitingText(waiting))}`
  return { status: 'STOPPED', details: `${why}.${since}${queue}` }
}

/** What is counted ends here; more is only said to be more. */
export const MOST_COUNTED = 1_000

function waitingText(waiting: number): string {
  return waiting > MOST_COUNTED ? 'over 1,000 waiting' : `${waiting} waiting`
}

function inProcesses(count: number): string {
  return count === 1 ? '' : `, in ${count} processes`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function ago(seconds: number): string {
  if (seconds < 90) return `${Math.max(0, Math.floor(seconds))} s ago`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min ago`
  return `${Math.round(seconds / 3_600)} h ago`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
