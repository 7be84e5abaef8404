/** Memory that processes hold, pages they share counted in parts, so that sums are true (proc_pid_smaps(5), `Pss`). */
import { readFileSync } from 'node:fs'

import { commandOf } from '../apps/server/src/sandbox/processes.ts'

/** Megabytes of these processes together; one that ended meanwhile holds none. */
export function megabytesOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + kilobytesOf(pid), 0) / 1024
}

/** The processes whose command line names the program. */
export function runningProgram(pids: readonly number[], program: string): readonly number[] {
  return pids.filter((pid) => commandOf(pid).includes(program))
}

function kilobytesOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
