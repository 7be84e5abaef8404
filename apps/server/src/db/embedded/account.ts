import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from '../../process/start-error.ts'

/** The user PostgreSQL runs as. `uid` and `gid` are absent when that is the user who started Kassa. */
export type Account = { readonly name: string; readonly uid?: number; readonly gid?: number }

const name = 'postgres'

/**
 * The user PostgreSQL runs as: for an ordinary user that user; for root, whom PostgreSQL refuses, the owner of the
 * existing data folder, or else the user `postgres`, created when missing.
 */
export function databaseAccount(dataFolder: string): Account {
  if (process.getuid?.() !== 0) return { name: 'you' }
  if (existsSync(dataFolder)) {
    const { uid, gid } = statSync(dataFolder)
    if (uid !== 0) return { name: `user ${uid}`, uid, gid }
  }
  return lookUp() ?? create()
}

function lookUp(): Account | undefined {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' })))
    return uid && gid ? { name, uid, gid } : undefined
  } catch {
    return undefined
  }
}

function create(): Account {
  const args = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  try {
    execFileSync('/usr/sbin/useradd', [...args, '--shell', '/usr/sbin/nologin', name], { stdio: 'pipe' })
  } catch {
    // Reported below: what counts is whether the user exists now.
  }
  const account = lookUp()
  if (account) return account
  throw new StartError(
    `PostgreSQL does not run as root, and the user '${name}' could not be created. Create it, or start Kassa as an ordinary user.`,
  )
}

/** Whether every folder from the root down to this one can be entered by users who do not own it. */
export function canOthersEnter(folder: string): boolean {
  const parent = dirname(folder)
  const isOpen = (statSync(folder).mode & 0o001) !== 0
  return isOpen && (parent === folder || canOthersEnter(parent))
}
