import { withTimeout } from '../../jobs/at-most.ts'
import type { ReportRun } from '../../jobs/jobs.ts'
import { listenerName } from './rules.ts'

/** How a worker of this process is. */
export type Report = {
  readonly name: string
  /** Seconds since its newest turn; null before the first, and where others write it down. */
  readonly turned: number | null
  readonly failure: string | null
}

/** Workers of this process that begin and end together. */
export type WorkerGroup = {
  readonly reports: () => readonly Report[]
  /** Ends the current turn of one of them and begins anew. */
  readonly restart: (name: string) => Promise<void>
  /** Takes up nothing more and waits for what runs. */
  readonly stop: () => Promise<void>
}

/** What was begun: `stop` resolves when its current turn has ended. */
type Work = { readonly stop: () => Promise<void> }

/** A turn that has not ended by then is left to itself: it may be the reason for the restart, and work may run twice. */
const TURN_MS = 20_000

/** Begins the work of one worker. */
export async function startCrew(
  name: string,
  begin: (note: ReportRun) => Promise<readonly Work[]>,
): Promise<WorkerGroup> {
  let turns = noteTurns()
  let works = await begin(turns.note)
  let isStopped = false
  const end = async () => void (await Promise.all(works.map((work) => work.stop())))
  return {
    reports: () => [{ name, ...turns.report() }],
    restart: async () => {
      await withTimeout(TURN_MS, end())
      if (isStopped) return
      turns = noteTurns()
      works = await begin(turns.note)
      // Stopped while it began: nobody else knows of the new work.
      if (isStopped) await end()
    },
    stop: async () => {
      isStopped = true
      await end()
    },
  }
}

type Watching = Work & {
  /** The codes of the blockchains that are read. */
  readonly codes: () => readonly string[]
  readonly restart: (code: string) => Promise<void>
}

/** The readers of blockchains as workers: how far each got is written down by the process that leads it. */
export function listenerCrew({ codes, restart, stop }: Watching): WorkerGroup {
  return {
    reports: () => codes().map((code) => ({ name: listenerName(code), turned: null, failure: null })),
    restart: async (name) => {
      const code = codes().find((one) => listenerName(one) === name)
      if (code !== undefined) await restart(code)
    },
    stop,
  }
}

/** What fails counts until it succeeds, but not for longer: nobody need ask for it again, least of all for a job that came once. */
const FAILURE_COUNTS_MS = 3_600_000
const ONCE_COUNTS_MS = 300_000

const LONGEST_TEXT = 300

function noteTurns(): { note: ReportRun; report: () => Omit<Report, 'name'> } {
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
      return { turned: last === null ? null : (now - last) / 1000, failure: counting.at(-1)?.text ?? null }
    },
  }
}

/** What others answered may hold a NUL, which the database refuses with everything said beside it. */
function storable(text: string): string {
  return text.replaceAll('\0', '').slice(0, LONGEST_TEXT)
}
