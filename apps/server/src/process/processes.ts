import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether a process with this id runs, under any user. One that ended but was not yet reaped has no command line. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return process.platform !== 'linux' || commandOf(pid) !== ''
}

/** The command line of a process, or '' when it has ended. Ids are reused, so a pid file alone proves nothing. */
export function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/** Sends the signal and waits until the process has ended; after `withinMs` it is killed. */
export async function stopProcess(pid: number, signal: NodeJS.Signals, withinMs: number): Promise<void> {
  if (!send(pid, signal)) return
  if (await isGone(pid, withinMs)) return
  send(pid, 'SIGKILL')
  await isGone(pid, 5_000)
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false
    await sleep(10)
  }
  return true
}

/** When the process started, as the system counts it, or '' when it has ended: with the id it names one process for good. */
export function startedAt(pid: number): string {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    }
    // Field 22 of /proc/<pid>/stat (proc(5)); the name in field 2 may hold spaces and brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? '' : (fields[19] ?? '')
  } catch {
    return ''
  }
}
