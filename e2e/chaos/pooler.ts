/** pgbouncer in transaction mode in front of a database, as people run it. */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'

import { databaseAccount } from '../../apps/server/src/db/embedded/account.ts'
import { freePort } from '../instance.ts'
import { until } from '../until.ts'

export type Pooler = {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** As docs/guides/scale-out.md says. */
const LIMITS = 'SET statement_timeout = 60000; SET idle_in_transaction_session_timeout = 300000'

/** The program, or undefined where it is not installed; Debian puts it where only root's search path looks. */
export const poolerProgram = [...(process.env.PATH ?? '').split(':'), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path))

/** Starts it before the database of this address, as the database's own user when that is not ours: it refuses root. */
export async function startPooler(program: string, databaseUrl: string, folder: string): Promise<Pooler> {
  const place = mkdtempSync(join(folder, 'pooler-'))
  const port = await freePort()
  const file = join(place, 'pgbouncer.ini')
  writeFileSync(file, settingsFor(new URL(databaseUrl), port))
  const { uid, gid } = databaseAccount(join(folder, 'database/postgres/data'))
  chmodSync(place, 0o755)
  if (uid !== undefined && gid !== undefined) chownSync(place, uid, gid)
  const log = openSync(join(place, 'log.txt'), 'a')
  const child = spawn(program, [file], { stdio: ['ignore', log, log], ...(uid !== undefined && { uid, gid }) })
  closeSync(log)
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${readFileSync(join(place, 'log.txt'), 'utf8')}`)
    return opens(port)
  }
  await until('pgbouncer to answer', answers, (isOpen) => isOpen, 60_000)
  const url = new URL(databaseUrl)
  return { url: `postgresql://kassa@127.0.0.1:${port}${url.pathname}`, stop: () => ended(child) }
}

function settingsFor(database: URL, port: number): string {
  const host = database.searchParams.get('host') ?? database.hostname
  const password = database.password === '' ? '' : ` password=${decodeURIComponent(database.password)}`
  return [
    '[databases]',
    `* = host=${host} port=${database.port || 5432} user=${database.username}${password} connect_query='${LIMITS}'`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 20',
    'max_client_conn = 500',
    'server_login_retry = 1',
    '',
  ].join('\n')
}

function opens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new Socket()
    const answer = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('error', () => answer(false)).once('connect', () => answer(true))
    socket.connect(port, '127.0.0.1')
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  await gone
}
