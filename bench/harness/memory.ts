/** Memory that processes hold together (proc_pid_smaps(5)), whatever else on the machine runs the same programs. */
import { readFileSync } from 'node:fs'

import { commandOf } from '../../apps/server/src/process/processes.ts'

/** Megabytes of these processes together: what each has alone, and once what the one that shares most shares. */
export function megabytesOf(pids: readonly number[]): number {
  const all = pids.map(kilobytesOf)
  const own = all.reduce((sum, one) => sum + one.own, 0)
  return (own + Math.max(0, ...all.map(({ shared }) => shared))) / 1024
}

/** The processes whose command line names the program. */
export function runningProgram(pids: readonly number[], program: string): readonly number[] {
  return pids.filter((pid) => commandOf(pid).includes(program))
}

/** A process that ended meanwhile holds nothing. */
function kilobytesOf(pid: number): { own: number; shared: number } {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    const sum = (of: string) =>
      [...text.matchAll(new RegExp(`^${of}_(?:Clean|Dirty): +(\\d+) kB`, 'gm'))].reduce(
        (total, [, kilobytes]) => total + Number(kilobytes),
        0,
      )
    return { own: sum('Private'), shared: sum('Shared') }
  } catch {
    return { own: 0, shared: 0 }
  }
}
