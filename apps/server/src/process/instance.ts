import { linkSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { startedAt } from './processes.ts'
import { explainHome, explainPort } from './start-error.ts'

/** The one Kassa of a data folder: this process, which releases it when it ends, or one that runs already. */
export type Instance =
  | { readonly kind: 'mine'; readonly home: string; readonly release: () => void }
  | { readonly kind: 'running'; readonly url: string }

type Holder = { readonly pid: number; readonly startedAt: string; readonly url: string }

/**
 * Claims the data folder, created when missing, for this process; `url` is what a second one shows its user.
 * A claim left by a killed process is replaced.
 * @throws StartError when the folder cannot be written.
 */
export function claimInstance(input: { home: string; url: string }): Instance {
  try {
    mkdirSync(input.home, { recursive: true })
    return claim(realpathSync(input.home), input.url)
  } catch (error) {
    throw explainHome(error, input.home)
  }
}

/** Whether the port can be opened, asked before anything else is started. @throws StartError when it cannot. */
export function checkPort(input: { port: number; bind: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => reject(explainPort(error, input)))
    server.listen({ port: input.port, host: input.bind, exclusive: true }, () => server.close(() => resolve()))
  })
}

function claim(home: string, url: string): Instance {
  const file = join(home, 'instance.json')
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, JSON.stringify({ pid: process.pid, startedAt: startedAt(process.pid), url } satisfies Holder))
  try {
    for (;;) {
      // A link appears at once and complete, so that a reader of the file sees all of it.
      if (didLink(mine, file)) return { kind: 'mine', home, release: () => release(file) }
      const holder = read(file)
      if (holder && startedAt(holder.pid) === holder.startedAt) return { kind: 'running', url: holder.url }
      discard(file, holder)
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

/** Two starters may find the same dead claim: the slower one must not throw away the faster one's new claim. */
function discard(file: string, dead: Holder | undefined): void {
  const aside = `${file}.${process.pid}.old`
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  if (read(aside)?.pid !== dead?.pid) didLink(aside, file)
  rmSync(aside, { force: true })
}

function release(file: string): void {
  if (read(file)?.pid === process.pid) rmSync(file, { force: true })
}

function didLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function read(file: string): Holder | undefined {
  try {
    const { pid, startedAt: since, url } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>
    return typeof pid === 'number' && since !== undefined && url !== undefined
      ? { pid, startedAt: since, url }
      : undefined
  } catch {
    return undefined
  }
}
