import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, openSync, closeSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Account } from './account.ts'
import { databaseEnvironment } from './cluster.ts'
import { program } from './runtime.ts'
import { commandOf, stopProcess } from '../../process/processes.ts'
import { StartError } from '../../process/start-error.ts'

export type Server = {
  readonly runtime: string
  readonly data: string
  readonly socket: string
  readonly logFile: string
  readonly account: Account
  readonly args: readonly string[]
}

/** Recovery after a crash replays at most one checkpoint's worth of log: seconds, minutes on a slow disk. */
const readyWithinMs = 300_000
/** A fast shutdown writes a checkpoint; only a stuck disk needs longer. */
const stopWithinMs = 60_000
const childrenEndWithinMs = 20_000
/** Above every system's highest process id. */
const neverProcess = 2 ** 31 - 1
const largestLogBytes = 10_000_000

/**
 * Makes the server run and returns its process id. One left behind by a killed Kassa is reused when it was started
 * the same way, and stopped first otherwise.
 */
export async function runServer(server: Server): Promise<{ pid: number; reused: boolean }> {
  const leftover = findLeftover(server.data)
  if (leftover && leftover.command.trim() === [program(server.runtime, 'postgres'), ...server.args].join(' ')) {
    await untilReady(server, leftover.pid)
    return { pid: leftover.pid, reused: true }
  }
  if (leftover) await stopServer(leftover.pid)
  return { pid: await spawnPatiently(server), reused: false }
}

/** Stops the server that a killed Kassa left behind on this data folder, if there is one. */
export async function stopLeftover(data: string): Promise<void> {
  const leftover = findLeftover(data)
  if (leftover) await stopServer(leftover.pid)
}

/** A fast shutdown: open transactions roll back, everything committed is on disk. */
export async function stopServer(pid: number): Promise<void> {
  await stopProcess(pid, 'SIGINT', stopWithinMs)
}

/** After `kill -9` the server's own children need a moment to notice, and it does not start beside them. */
async function spawnPatiently(server: Server): Promise<number> {
  const deadline = performance.now() + childrenEndWithinMs
  for (;;) {
    try {
      return await spawnServer(server)
    } catch (error) {
      if (!String(error).includes('is still in use') || performance.now() > deadline) throw error
      await sleep(100)
    }
  }
}

/** Detached and with a log file of its own, so that Ctrl-C in the terminal reaches Kassa alone, which stops it last. */
async function spawnServer(server: Server): Promise<number> {
  const { account, data } = server
  clearSocket(server.socket)
  rotate(server.logFile)
  const log = openSync(server.logFile, 'a')
  const child = spawn(program(server.runtime, 'postgres'), server.args, {
    ...(account.uid === undefined ? {} : { uid: account.uid, gid: account.gid }),
    cwd: data,
    env: databaseEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  const { pid } = child
  const failed = new Promise<never>((_, reject) =>
    child.once('error', (error) => reject(couldNot(server, error.message))),
  )
  if (pid === undefined) return failed
  await Promise.race([untilReady(server, pid, child), failed])
  return pid
}

/** The server writes `ready` into its pid file once it accepts connections. */
async function untilReady(server: Server, pid: number, child?: ChildProcess): Promise<void> {
  const deadline = performance.now() + readyWithinMs
  for (;;) {
    const found = readPidFile(server.data)
    if (found?.pid === pid && found.isReady) return
    const isGone = child ? child.exitCode !== null || child.signalCode !== null : commandOf(pid) === ''
    if (isGone) throw couldNot(server, lastLines(server.logFile))
    if (performance.now() > deadline) throw couldNot(server, 'it is not ready after five minutes')
    await sleep(10)
  }
}

function findLeftover(data: string): { pid: number; command: string } | undefined {
  const found = readPidFile(data)
  if (!found) return undefined
  const command = commandOf(found.pid)
  if (command.includes(data)) return { pid: found.pid, command }
  disownPidFile(data)
  return undefined
}

/** Of a killed server: its lock names an id that may be in use again. The folder is this database's alone. */
function clearSocket(socket: string): void {
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(socket, name), { force: true })
}

/**
 * The id in the pid file is free, a dead process's that was not reaped yet, or another one's by now; the last
 * two would keep the server from starting. The file itself stays: it names the shared memory by which the server
 * finds children of its own that still write.
 */
function disownPidFile(data: string): void {
  const file = join(data, 'postmaster.pid')
  const [, ...rest] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, [neverProcess, ...rest].join('\n'))
}

/** postmaster.pid: process id, data folder, start time, port, socket folder, address, shared memory, status. */
function readPidFile(data: string): { pid: number; isReady: boolean } | undefined {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 1 ? { pid, isReady: lines[7]?.trim() === 'ready' } : undefined
}

function rotate(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > largestLogBytes) renameSync(logFile, `${logFile}.1`)
}

function lastLines(logFile: string): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n')
}

function couldNot(server: Server, reason: string): StartError {
  return new StartError(`The built-in PostgreSQL did not start (${server.logFile}): ${reason}`)
}
