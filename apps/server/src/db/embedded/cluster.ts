import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import type { Account } from './account.ts'
import { program } from './runtime.ts'
import { StartError } from '../../process/start-error.ts'

/**
 * Creates the data folder once. It is built beside its place and renamed, so that a crash leaves none or a whole one.
 * The built-in C.UTF-8 locale knows letters beyond ASCII and sorts alike on every machine.
 * @throws StartError when the folder was written by another major version.
 */
export function createCluster(input: { runtime: string; data: string; account: Account; isDurable: boolean }): void {
  const { runtime, data, account } = input
  if (existsSync(data)) return refuseOtherVersion(runtime, data)
  const unfinished = `${data}-unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  if (account.uid !== undefined && account.gid !== undefined) chownSync(unfinished, account.uid, account.gid)
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C', '--builtin-locale=C.UTF-8']
  const login = ['--username=kassa', '--auth-local=trust', '--auth-host=reject']
  const args = ['-D', unfinished, ...locale, ...login, ...(input.isDurable ? [] : ['--no-sync'])]
  try {
    execFileSync(program(runtime, 'initdb'), args, {
      ...account,
      cwd: unfinished,
      env: databaseEnvironment,
      stdio: 'pipe',
    })
  } catch (error) {
    const told = String((error as { stderr?: Buffer }).stderr ?? error).trim()
    throw new StartError(`The built-in PostgreSQL could not create its data folder ${data}: ${told}`)
  }
  renameSync(unfinished, data)
}

/** PostgreSQL gets nothing of Kassa's environment, which may hold secrets. */
export const databaseEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

function refuseOtherVersion(runtime: string, data: string): void {
  const written = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  const offered = /runtime-(\d+)\./.exec(runtime)?.[1]
  if (written !== offered)
    throw new StartError(
      `${data} was written by PostgreSQL ${written}; this Kassa brings ${offered}. Upgrade it, or set DATABASE_URL.`,
    )
}
