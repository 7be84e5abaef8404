/** The whole program as its user starts it, with a data folder and a port of its own. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { TEMPORARY } from '../apps/server/src/testing/database/temporary.ts'
import { allGone, isRunning, killAll, withDescendants } from './processes.ts'
import { until } from './until.ts'

const ROOT = join(import.meta.dirname, '..')

/** A busy machine of two cores builds the pages first; alone it takes a few seconds. */
const READY_WITHIN_MS = 150_000

/** Where an instance keeps everything: it may be started there again. */
export type Layout = { readonly home: string; readonly port: number }

export type Instance = Layout & {
  readonly url: string
  /** From the command to the line that says it is ready. */
  readonly readyMs: number
  /** The process the user started, then everything below it. */
  readonly processes: () => readonly number[]
  /** Ctrl-C: the exit code, once every process has ended. */
  readonly stop: () => Promise<number>
  /** `kill -9` of every process at once. */
  readonly kill: () => Promise<void>
}

/** A finished run of the start command. */
export type Ended = { readonly code: number; readonly output: string }

/** Makes an empty data folder, which the database's own user may enter, and finds a free port. */
export async function newLayout(): Promise<Layout> {
  const folder = mkdtempSync(join(TEMPORARY, 'kassa-instance-'))
  chmodSync(folder, 0o755)
  return { home: join(folder, 'kassa'), port: await freePort() }
}

/** Removes the data folder with everything in it. */
export function clearLayout({ home }: Layout): void {
  rmSync(join(home, '..'), { recursive: true, force: true })
}

/** Starts the program and waits for its ready line. @throws Error with what it printed when it ends before or takes too long. */
export async function startInstance(layout: Layout): Promise<Instance> {
  const begun = performance.now()
  const { pid, output, ended } = launch(layout)
  const url = `http://localhost:${layout.port}`
  await until(
    `Kassa to be ready on ${url}`,
    () => (isRunning(pid) ? output() : `It ended. ${output()}`),
    (text) => {
      if (text.startsWith('It ended.')) throw new Error(text)
      return text.includes(`Kassa is ready on ${url}`)
    },
    READY_WITHIN_MS,
  ).catch(async (error: unknown) => {
    await killAll(withDescendants(pid))
    throw error
  })
  const processes = () => withDescendants(pid)
  const stop = async () => {
    const all = processes()
    // The terminal sends Ctrl-C to the whole process group.
    if (isRunning(pid)) process.kill(-pid, 'SIGINT')
    const code = await ended
    await allGone(all)
    return code
  }
  return { ...layout, url, readyMs: performance.now() - begun, processes, stop, kill: () => killAll(processes()) }
}

/** Runs the start command where it ends at once, and gives its output. */
export async function runStart(layout: Layout): Promise<Ended> {
  const { output, ended } = launch(layout)
  return { code: await ended, output: output() }
}

/** In a process group and with a log file of its own, so that nothing of it hangs on to the caller. */
function launch({ home, port }: Layout): { pid: number; output: () => string; ended: Promise<number> } {
  const file = join(mkdtempSync(join(home, '../start-')), 'output.txt')
  const log = openSync(file, 'a')
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.mjs')], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, KASSA_HOME: home, PORT: String(port) },
  })
  closeSync(log)
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
  if (child.pid === undefined) throw new Error('The start command could not be run.')
  return { pid: child.pid, output: () => readFileSync(file, 'utf8'), ended }
}

/**
 * Below the ports that the system hands out by itself (from 32,768 on where it is Linux): one of those is often somebody else's
 * connection by the time the program, seconds later, wants it.
 */
const PORTS = { least: 12_000, below: 32_000 } as const

/** A free port of loopback. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.least, PORTS.below)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
