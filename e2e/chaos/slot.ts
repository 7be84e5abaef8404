/** One process of the program, which may be killed and started again in the same place. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { freePort, type Layout } from '../instance.ts'
import { allGone, commandOf, isRunning, killAll, withDescendants } from '../processes.ts'
import { until } from '../until.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A machine that runs many processes at once starts one in ten seconds or more. */
const READY_WITHIN_MS = 120_000

export type SlotOptions = {
  readonly name: string
  readonly layout: Layout
  /** Further settings of its environment. */
  readonly settings?: Readonly<Record<string, string>>
}

export type Slot = {
  readonly name: string
  readonly url: string
  readonly pid: () => number
  readonly isUp: () => boolean
  /** Starts the process and waits for its ready line. @throws Error with what it printed when it ends before */
  readonly start: () => Promise<void>
  /** `kill -9` of this process alone: what it started lives on. */
  readonly kill: () => Promise<void>
  /** `kill -9` of this process and all that it or one before it started. */
  readonly killEverything: () => Promise<void>
  /** Asks it to finish, and gives its exit code once it has ended. */
  readonly stop: () => Promise<number>
  /** All it printed and logged, every run of it. */
  readonly output: () => string
}

/** A place for a process; nothing runs yet. */
export function takeSlot({ name, layout, settings = {} }: SlotOptions): Slot {
  const file = join(mkdtempSync(join(layout.home, '../slot-')), 'output.txt')
  const url = `http://localhost:${layout.port}`
  let child: ChildProcess | undefined
  let ended: Promise<number> = Promise.resolve(0)
  let readyLines = 0
  const output = () => readFileSync(file, 'utf8')
  const pid = () => child?.pid ?? 0
  const kill = async () => {
    if (pid() > 0) await killAll([pid()])
  }
  return {
    name,
    url,
    pid,
    isUp: () => pid() > 0 && isRunning(pid()),
    start: async () => {
      const log = openSync(file, 'a')
      child = spawn(process.execPath, [join(ROOT, 'apps/server/build/main.js')], {
        cwd: ROOT,
        detached: true,
        stdio: ['ignore', log, log],
        env: environmentOf(layout, settings),
      })
      closeSync(log)
      ended = new Promise((resolve) => child?.once('exit', (code) => resolve(code ?? 1)))
      const mine = pid()
      readyLines += 1
      await until(
        `${name} to be ready on ${url}`,
        () => (isRunning(mine) ? countReady(output()) : -1),
        (count) => {
          if (count < 0) throw new Error(`${name} ended. ${output().slice(-4_000)}`)
          return count >= readyLines
        },
        READY_WITHIN_MS,
      ).catch((error: unknown) => {
        // A run that was killed before it was ready leaves no line behind.
        readyLines -= 1
        throw error
      })
    },
    kill,
    killEverything: async () => {
      await killAll([...withDescendants(pid()), ...startedBy(layout)])
    },
    stop: async () => {
      const mine = pid()
      if (mine > 0 && isRunning(mine)) process.kill(mine, 'SIGTERM')
      const code = await ended
      await allGone([mine].filter((one) => one > 0))
      return code
    },
    output,
  }
}

function environmentOf({ home, port }: Layout, settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/kassa-compiled'),
    KASSA_HOME: home,
    PORT: String(port),
    // The crowd of customers names its addresses as a proxy on this machine would.
    KASSA_TRUSTED_PROXIES: '127.0.0.1,::1',
    ...settings,
  }
}

function countReady(output: string): number {
  return output.split('\n').filter((line) => line.startsWith('Kassa is ready on ')).length
}

/** What an instance leaves running when its own process is killed: its local chains and its database, by their pid files. */
function startedBy({ home }: Layout): number[] {
  const chains = ['ETH', 'BASE', 'POLYGON'].map((code) => chainProcess(home, code))
  return [...chains, bitcoinProcess(home), databaseProcess(home)].flatMap((pid) =>
    pid === undefined ? [] : withDescendants(pid),
  )
}

/** The process id in a pid file may be another's by now: its command line tells. */
function chainProcess(home: string, code: string): number | undefined {
  const [pid, url] = linesOf(join(home, `chains/${code}.pid`))
  const port = url?.split(':').at(-1)
  return port !== undefined && commandOf(Number(pid)).includes(`--port ${port} `) ? Number(pid) : undefined
}

/** The node of Bitcoin of an instance, while it runs. */
function bitcoinProcess(home: string): number | undefined {
  const folder = join(home, 'chains/BTC')
  const [pid] = linesOf(join(folder, 'node.pid'))
  return commandOf(Number(pid)).includes(`-datadir=${folder}`) ? Number(pid) : undefined
}

/** The database of an instance that brings its own, while it runs. */
export function databaseProcess(home: string): number | undefined {
  const [pid] = linesOf(join(home, 'postgres/data/postmaster.pid'))
  return commandOf(Number(pid)).includes(`${home}/postgres/data`) ? Number(pid) : undefined
}

/** Where the node of an instance's local chain answers. @throws Error when none was started */
export function chainUrl({ home }: Layout, code: string): string {
  const [, url] = linesOf(join(home, `chains/${code}.pid`))
  if (url === undefined) throw new Error(`${code} has no local chain in ${home}`)
  return url
}

function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
}

/** A layout beside another one's, for a further process of the same install. */
export async function layoutBeside(layout: Layout, name: string): Promise<Layout> {
  return { home: join(layout.home, '..', name), port: await freePort() }
}
