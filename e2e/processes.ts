/** The processes of a running instance, as the system lists them (proc(5)). */
import { readdirSync, readFileSync } from 'node:fs'

import { until } from './until.ts'

/** Lists the process and all that it started, directly or not, the first one first. */
export function withDescendants(pid: number): readonly number[] {
  const parents = parentsOfAll()
  const found = [pid]
  for (const one of found) found.push(...[...parents].filter(([, parent]) => parent === one).map(([child]) => child))
  return found.filter(isRunning)
}

/** Whether the process runs; one that ended and was not yet reaped does not. */
export function isRunning(pid: number): boolean {
  return !['', 'Z', 'X'].includes(statOf(pid).state)
}

/** Kills every process at once, as a power cut would, and waits until none is left. */
export async function killAll(pids: readonly number[]): Promise<void> {
  for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL')
  await allGone(pids)
}

/** Waits until none of the processes runs. */
export async function allGone(pids: readonly number[]): Promise<void> {
  await until(
    'all processes to end',
    () => pids.filter(isRunning),
    (left) => left.length === 0,
  )
}

/** The command line of a process, or nothing when it has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function parentsOfAll(): ReadonlyMap<number, number> {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  return new Map(pids.map((pid) => [pid, statOf(pid).parent]))
}

/** The name in field 2 may hold spaces and brackets: what counts stands after its last bracket. */
function statOf(pid: number): { state: string; parent: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return { state: '', parent: 0 }
  }
}
