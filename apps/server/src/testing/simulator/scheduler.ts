import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'

import type { Random } from './random.ts'

/** Rejects every call of a killed process, so that nothing it still does has an effect. */
export class Killed extends Error {
  constructor() {
    super('The process was killed')
    this.name = 'Killed'
  }
}

/** The run cannot continue: every process waits for another. */
export class Deadlock extends Error {}

/** One simulated process of the program, or an actor outside it. */
export type Process = {
  readonly name: string
  /** Aborts when the process is killed. */
  readonly signal: AbortSignal
  isDead: boolean
  /** Paused until then, like a process that gets no CPU time. */
  pausedUntil: number
  /** How far its clock is off, in milliseconds. */
  skewMs: number
  readonly kill: () => void
}

type Waiting = {
  readonly process: Process
  readonly label: string
  /** The time from which it may continue; Infinity while another event must happen first. */
  readonly readyAt: () => number
  readonly perform: () => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

export type PointOptions = { readonly readyAt?: () => number }

/** Lets one process at a time continue, from one call through its context to the next, in the order of a seed. */
export type Scheduler = {
  /** Milliseconds since 1970, the same for every process whose clock is right. */
  readonly now: () => number
  readonly pass: (ms: number) => void
  readonly steps: () => number
  /** Whether a process could continue now, without time going on. */
  readonly isBusy: () => boolean
  /** Runs `main` as a process until it ends; `onEnd` receives the error, if any. */
  readonly start: (name: string, main: (process: Process) => Promise<void>, onEnd?: () => void) => Process
  /** The process whose code is running. */
  readonly current: () => Process
  /** Waits to be scheduled, then does the work; nothing durable happens between two points. */
  readonly point: <T>(label: string, perform: () => T | Promise<T>, options?: PointOptions) => Promise<T>
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Wakes every process that sleeps. */
  readonly wakeAll: () => void
  /** Runs one step of one process, of any or of this one; false when no process is left. */
  readonly step: (interfere: (process: Process, label: string) => 'go' | 'kill', only?: Process) => Promise<boolean>
  /** Writes a line into the trace. */
  readonly note: (line: string) => void
  readonly trace: () => { readonly hash: string; readonly tail: readonly string[] }
  readonly killAll: () => Promise<void>
}

/** How many lines of the trace are stored. */
const TAIL = 400
/** Letters of the trace that are hashed together: each call takes as long as hashing hundreds of them. */
const HASHED_AT_ONCE = 65_536
/** A step takes up to this long in simulated time. */
const LONGEST_STEP_MS = 30
/** After so many real milliseconds, code that waits for something outside the simulation is reported as stuck. */
const STUCK_MS = 10_000

/** Makes a scheduler that begins at a time. */
export function createScheduler(random: Random, startAt: number): Scheduler {
  const running = new AsyncLocalStorage<Process>()
  const processes = new Set<Process>()
  const waiting: Waiting[] = []
  const digest = createHash('sha256')
  let unhashed = ''
  const tail: { readonly at: number; readonly line: string }[] = []
  let now = startAt
  let steps = 0
  let wakings = 0

  const hash = () => {
    digest.update(unhashed)
    unhashed = ''
  }
  const note = (line: string) => {
    unhashed += `${now} ${line}\n`
    if (unhashed.length > HASHED_AT_ONCE) hash()
    tail.push({ at: now, line })
    if (tail.length > 2 * TAIL) tail.splice(0, TAIL)
  }

  const current = () => {
    const process = running.getStore()
    if (!process) throw new Error('Only a process of the simulation may do this')
    return process
  }

  const point = <T>(label: string, perform: () => T | Promise<T>, { readyAt = () => 0 }: PointOptions = {}) => {
    const process = current()
    if (process.isDead) return Promise.reject<T>(new Killed())
    return new Promise<T>((resolve, reject) => {
      waiting.push({ process, label, readyAt, perform, resolve, reject })
    })
  }

  const start: Scheduler['start'] = (name, main, onEnd) => {
    const controller = new AbortController()
    const kill = () => {
      process.isDead = true
      controller.abort()
      for (const one of waiting.filter((each) => each.process === process)) {
        waiting.splice(waiting.indexOf(one), 1)
        one.reject(new Killed())
      }
    }
    const process: Process = { name, signal: controller.signal, isDead: false, pausedUntil: 0, skewMs: 0, kill }
    processes.add(process)
    const ended = () => {
      processes.delete(process)
      onEnd?.()
    }
    running.run(process, () => {
      main(process).then(ended, (error: unknown) => {
        if (!process.isDead) note(`${name} ended: ${error instanceof Error ? error.message : String(error)}`)
        ended()
      })
    })
    return process
  }

  const timeOf = (one: Waiting) => Math.max(one.readyAt(), one.process.pausedUntil)

  const choose = async (only: Process | undefined): Promise<Waiting | undefined> => {
    const stuckAt = Date.now() + STUCK_MS
    const candidates = () => (only ? waiting.filter(({ process }) => process === only) : waiting)
    while (candidates().length === 0 && processes.size > 0 && (!only || processes.has(only))) {
      if (Date.now() > stuckAt) throw new Deadlock('A process waits for something outside the simulation')
      await macrotask()
    }
    const all = candidates()
    if (all.length === 0) return undefined
    const times = all.map(timeOf)
    const earliest = Math.min(...times)
    if (earliest === Infinity) throw new Deadlock(`Every process waits: ${all.map(({ label }) => label).join(', ')}`)
    now = Math.max(now, earliest)
    return random.any(all.filter((_, at) => (times[at] ?? Infinity) <= now))
  }

  const step: Scheduler['step'] = async (interfere, only) => {
    await macrotask()
    const chosen = await choose(only)
    if (!chosen) return false
    steps += 1
    now += random.between(0, LONGEST_STEP_MS)
    note(`${chosen.process.name} ${chosen.label}`)
    if (interfere(chosen.process, chosen.label) === 'kill') {
      note(`kill ${chosen.process.name}`)
      chosen.process.kill()
      return true
    }
    waiting.splice(waiting.indexOf(chosen), 1)
    try {
      chosen.resolve((await chosen.perform()) as never)
    } catch (error) {
      note(`failed: ${error instanceof Error ? error.name : typeof error}`)
      chosen.reject(error)
    }
    return true
  }

  return {
    now: () => now,
    pass: (ms) => void (now += ms),
    steps: () => steps,
    isBusy: () => waiting.some((one) => timeOf(one) <= now),
    start,
    current,
    point,
    sleep: (ms, signal) => {
      const until = now + ms
      const wakingsBefore = wakings
      return point('wakes', () => undefined, {
        readyAt: () => (signal?.aborted || wakingsBefore < wakings ? 0 : until),
      })
    },
    wakeAll: () => void (wakings += 1),
    step,
    note,
    trace: () => {
      hash()
      return { hash: digest.copy().digest('hex'), tail: tail.slice(-TAIL).map(print) }
    },
    killAll: async () => {
      while (processes.size > 0) {
        for (const process of processes) process.kill()
        await macrotask()
      }
    },
  }
}

function print({ at, line }: { readonly at: number; readonly line: string }): string {
  return `${new Date(at).toISOString()} ${line}`
}

/** Resolves when all code that was ready has run. */
function macrotask(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
