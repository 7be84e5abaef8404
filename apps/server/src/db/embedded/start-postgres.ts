import { existsSync, mkdirSync, realpathSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import type { Logger } from 'pino'

import { databaseAccount } from './account.ts'
import { createCluster } from './cluster.ts'
import { superviseServer } from './supervise-server.ts'
import { databaseFolder, socketFolder } from './location.ts'
import { installRuntime } from './runtime.ts'
import { type Server, runServer, stopServer } from './server.ts'
import { StartError } from '../../process/start-error.ts'

export type Postgres = {
  readonly url: string
  /** The process it was started as. */
  readonly pid: number
  /** True when the server of a killed Kassa was still running and was taken over. */
  readonly reused: boolean
  readonly stop: () => Promise<void>
}

/**
 * Starts the built-in PostgreSQL of this KASSA_HOME, on a unix socket only, and returns a connection string to its
 * first database. Works as root (the server then runs as its own user) and as an ordinary user.
 * `isDurable: false` is for tests: a crash may lose the database. With `isSupervised` a server that dies is started again.
 * @throws StartError with one sentence for the operator.
 */
export async function startPostgres(input: {
  home: string
  log: Logger
  isDurable?: boolean
  isSupervised?: boolean
}): Promise<Postgres> {
  const { log, isDurable = true, isSupervised = false } = input
  mkdirSync(input.home, { recursive: true })
  const home = realpathSync(input.home)
  const folder = databaseFolder(home)
  const data = join(folder, 'data')
  refuseForeignOwner(data)
  const account = databaseAccount(data)
  const runtime = installRuntime(folder)
  const socket = socketFolder(home, account)
  createCluster({ runtime, data, account, isDurable })
  const server: Server = {
    runtime,
    data,
    socket,
    account,
    logFile: join(folder, 'postgres.log'),
    args: argsFor(data, socket, isDurable),
  }
  const { pid, reused } = await runServer(server)
  log.info({ pid, reused, data }, 'built-in PostgreSQL is ready')
  const url = `postgresql://kassa@localhost/postgres?host=${encodeURIComponent(socket)}`
  const supervisor = isSupervised ? superviseServer(server, pid, log) : undefined
  return { url, pid, reused, stop: async () => stop((await supervisor?.stop()) ?? pid, socket, log) }
}

async function stop(pid: number, socket: string, log: Logger): Promise<void> {
  await stopServer(pid)
  try {
    rmdirSync(socket)
  } catch {
    // Not empty, or removed already: the next start uses or recreates it.
  }
  log.info({ pid }, 'built-in PostgreSQL has stopped')
}

/** Tests make hundreds of small databases that live for seconds: read-ahead, vacuum and copies are of no use. */
const FOR_TESTS = { io_method: 'sync', autovacuum: 'off', wal_level: 'minimal', max_wal_senders: 0 } as const

/** Sized for a small machine that also runs Kassa. Everything that makes a commit survive a power cut is on. */
function argsFor(data: string, socket: string, isDurable: boolean): string[] {
  const onOff = isDurable ? 'on' : 'off'
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socket,
    unix_socket_permissions: '0700',
    max_connections: isDurable ? 60 : 130,
    shared_buffers: '128MB',
    maintenance_work_mem: '64MB',
    max_wal_size: '512MB',
    checkpoint_timeout: '15min',
    random_page_cost: 1.1,
    // A query of this program is too short for either to pay, and parallel workers need shared memory containers lack.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    fsync: onOff,
    full_page_writes: onOff,
    synchronous_commit: onOff,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Without the DETAIL line, which would copy customers' addresses from refused rows into the log.
    log_error_verbosity: 'terse',
    ...(isDurable ? {} : FOR_TESTS),
  }
  return ['-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])]
}

function refuseForeignOwner(data: string): void {
  const me = process.getuid?.()
  if (me === undefined || me === 0 || !existsSync(data) || statSync(data).uid === me) return
  throw new StartError(
    `The database in ${data} belongs to another user. Start Kassa as the user who started it first, or as root.`,
  )
}
