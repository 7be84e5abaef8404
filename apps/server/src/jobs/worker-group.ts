import { withTimeout } from './with-timeout.ts'
import type { ReportRun } from './jobs.ts'
import { listenerName } from '../config/workers.ts'

/** The state of a worker of this process. */
export type Report = {
  readonly name: string
  /** Seconds since its last run; null before the first, and for followers, whose progress is stored elsewhere. */
  readonly lastRun: number | null
  readonly failure: string | null
}

/** Workers of this process that start and stop together. */
export type WorkerGroup = {
  readonly reports: () => readonly Report[]
  /** Ends the current run of one of them and starts it again. */
  readonly restart: (name: string) => Promise<void>
  /** Starts nothing more and waits for what is running. */
  readonly stop: () => Promise<void>
}

/** Started work: `stop` resolves when its current run has ended. */
export type Running = { readonly stop: () => Promise<void> }

/** A run that has not ended by then is abandoned, because it may be the reason for the restart; work may run twice. */
const RUN_END_MS = 20_000

/** Starts the work of one worker. */
export async function startWorkerGroup(
  name: string,
  begin: (note: ReportRun) => Promise<readonly Running[]>,
): Promise<WorkerGroup> {
  let runs = recordRuns()
  let works = await begin(runs.note)
  let isStopped = false
  const end = async () => void (await Promise.all(works.map((work) => work.stop())))
  return {
    reports: () => [{ name, ...runs.report() }],
    restart: async () => {
      await withTimeout(RUN_END_MS, end())
      if (isStopped) return
      runs = recordRuns()
      works = await begin(runs.note)
      // Stopped while it was starting: only this code knows the new work, so it stops it.
      if (isStopped) await end()
    },
    stop: async () => {
      isStopped = true
      await end()
    },
  }
}

type Following = Running & {
  /** The codes of the blockchains that are read. */
  readonly codes: () => readonly string[]
  readonly restart: (code: string) => Promise<void>
}

/** The followers of blockchains as workers: the process that follows a blockchain stores its progress. */
export function listenerGroup({ codes, restart, stop }: Following): WorkerGroup {
  return {
    reports: () => codes().map((code) => ({ name: listenerName(code), lastRun: null, failure: null })),
    restart: async (name) => {
      const code = codes().find((one) => listenerName(one) === name)
      if (code !== undefined) await restart(code)
    },
    stop,
  }
}

/**
 * A failure is reported until the next success, but at most this long: the work may not be requested again, least of all a
 * one-time job.
 */
const FAILURE_COUNTS_MS = 3_600_000
const ONCE_COUNTS_MS = 300_000

const LONGEST_TEXT = 300

function recordRuns(): { note: ReportRun; report: () => Omit<Report, 'name'> } {
  const failures = new Map<string, { readonly text: string; readonly until: number }>()
  let last: number | null = null
  return {
    note: (what, failure, isOnce = false) => {
      last = performance.now()
      if (failure === null) failures.delete(what)
      else
        failures.set(what, {
          text: `${what}: ${storable(failure)}`,
          until: last + (isOnce ? ONCE_COUNTS_MS : FAILURE_COUNTS_MS),
        })
    },
    report: () => {
      const now = performance.now()
      const counting = [...failures.values()].filter(({ until }) => now < until)
      return { lastRun: last === null ? null : (now - last) / 1000, failure: counting.at(-1)?.text ?? null }
    },
  }
}

/** An answer from outside may contain NUL, for which the database would refuse the whole report. */
function storable(text: string): string {
  return text.replaceAll('\0', '').slice(0, LONGEST_TEXT)
}
