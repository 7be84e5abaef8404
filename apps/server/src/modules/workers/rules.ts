import type { Worker } from '@kassa/contract/workers/schemas.ts'

/** A process without a heartbeat for this long has died: it would send four in that time. */
const GONE_SECONDS = 20

/** A follower without an answer of a node for this long is not healthy, whatever it stored before. */
const SILENT_SECONDS = 120

/** The last report of a process about a worker; times in seconds ago. */
export type Heartbeat = {
  readonly name: string
  readonly heartbeat: number
  readonly begun: number
  readonly lastRun: number | null
  readonly failure: string | null
  readonly isRestarting: boolean
}

/** How a blockchain is read, as stored by the process that follows it. */
export type Reading = {
  readonly state: 'running' | 'behind' | 'halted'
  readonly reason: string | null
  readonly blocksBehind: number
  /** Seconds since a node last answered. */
  readonly sinceAnswer: number | null
}

type State = Omit<Worker, 'name'>

/** Whether the process that reported still runs. */
export function isAlive({ heartbeat }: Heartbeat): boolean {
  return heartbeat < GONE_SECONDS
}

/** Returns the state of a worker that takes jobs or monitors nodes: healthy while one process succeeds. */
export function workerState(
  heartbeats: readonly Heartbeat[],
  { role, waiting }: { role: string; waiting: number | null },
): State {
  const alive = heartbeats.filter(isAlive)
  if (alive.length === 0) {
    return stopped(heartbeats, `No process does this: start one with the role ${role} (KASSA_ROLES)`, waiting ?? 0)
  }
  const failing = alive.flatMap(({ failure }) => failure ?? [])
  const queue = waiting === null ? '' : `, ${waitingText(waiting)}`
  if (failing.length === alive.length) {
    return {
      status: 'BACKOFF',
      details: `The last run failed: ${sentence(failing[0] ?? '')} It is tried again${queue}.`,
    }
  }
  if (alive.every(({ isRestarting }) => isRestarting)) return RESTARTING
  const lastRuns = alive.flatMap(({ lastRun }) => lastRun ?? [])
  const last =
    lastRuns.length > 0
      ? `Last run ${ago(Math.min(...lastRuns))}`
      : `Started ${ago(Math.min(...alive.map(({ begun }) => begun)))}`
  return { status: 'RUNNING', details: `${last}${queue}${inProcesses(alive.length)}.` }
}

/** Returns the state of the follower of a blockchain; other processes are ready to replace it. */
export function listenerState(heartbeats: readonly Heartbeat[], reading: Reading | null): State {
  if (reading?.state === 'halted') return { status: 'FATAL', details: sentence(reading.reason ?? 'Reading was halted') }
  const alive = heartbeats.filter(isAlive)
  if (alive.length === 0)
    return stopped(heartbeats, 'No process reads it: start one with the role watcher (KASSA_ROLES)')
  if (alive.every(({ isRestarting }) => isRestarting)) return RESTARTING
  if (reading === null) return { status: 'BACKOFF', details: 'No block was read yet.' }
  const behind = `${counted(reading.blocksBehind, 'block')} behind`
  if (reading.state === 'behind') return { status: 'BACKOFF', details: sentence(reading.reason ?? `It is ${behind}`) }
  const { sinceAnswer } = reading
  if (sinceAnswer === null) return { status: 'BACKOFF', details: `No node has answered yet, ${behind}.` }
  const isAnswering = sinceAnswer < SILENT_SECONDS
  return {
    status: isAnswering ? 'RUNNING' : 'BACKOFF',
    details: `Last read ${ago(sinceAnswer)}, ${behind}${inProcesses(alive.length)}.`,
  }
}

const RESTARTING: State = { status: 'RUNNING', details: 'Restarts as soon as its current run has ended.' }

function stopped(heartbeats: readonly Heartbeat[], why: string, waiting = 0): State {
  const last = Math.min(...heartbeats.map(({ heartbeat }) => heartbeat))
  const since = heartbeats.length === 0 ? '' : ` The last sign of life came ${ago(last)}.`
  const queue = waiting === 0 ? '' : ` ${sentence(waitingText(waiting))}`
  return { status: 'STOPPED', details: `${why}.${since}${queue}` }
}

/** Counting stops here; more is shown as "over". */
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
