import { Kysely, PostgresDialect } from 'kysely'
import type { PostgresPool, PostgresPoolClient } from 'kysely'

import type { Db } from '../../db/database.ts'
import type { MemoryDatabase } from './database.ts'
import type { Random } from './random.ts'
import type { Process, Scheduler } from './scheduler.ts'

/** How often the database fails, as shares of statements. */
export type DatabaseFaults = {
  readonly beforeCommit: number
  readonly afterCommit: number
  readonly connection: number
  readonly serialization: number
  readonly slow: number
}

type Statement = { readonly text: string; readonly values: readonly unknown[] }
type Result = { command: 'UPDATE'; rowCount: number; rows: never[] }

/** One connection of one process. Its transaction is the only open one while it lasts. */
type Session = { readonly process: Process; isBroken: boolean; isAborted: boolean }

export type Sessions = {
  /** The database as a process uses it. */
  readonly open: (process: Process) => Db
  /** The process with the open transaction. */
  readonly holder: () => Process | undefined
  /** False while the open transaction refuses every statement, because one of it failed. */
  readonly isReadable: () => boolean
  /** Registers work that exists exactly when the open transaction commits. */
  readonly onCommit: (work: () => void) => void
  /** Breaks the connections of a process: what it has not committed is rolled back. */
  readonly sever: (process: Process) => Promise<void>
}

/** The error of pg when a server goes away. */
const LOST = 'Connection terminated unexpectedly'
/** serialization_failure (PostgreSQL manual, appendix A). */
const SERIALIZATION_FAILURE = '40001'
const SLOW_MS = 20_000

type Options = {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly database: MemoryDatabase
  readonly faults: () => DatabaseFaults | null
  /** Changes a statement before it is sent: this breaks a rule of the program on purpose. */
  readonly rewrite: (text: string) => string
  /** Receives the statements of every committed transaction. */
  readonly committed: (statements: readonly string[]) => Promise<void>
}

/** Shares one connection between processes: transactions follow one another in the order the schedule decides. */
export function createSessions({ scheduler, random, database, faults, rewrite, committed }: Options): Sessions {
  let owner: Session | undefined
  let written: string[] = []
  let pending: (() => void)[] = []

  const end = () => {
    owner = undefined
    written = []
    pending = []
  }
  const rollback = async () => {
    await database.query('ROLLBACK')
    end()
  }
  const lose = async (session: Session): Promise<never> => {
    session.isBroken = true
    if (owner === session) await rollback()
    throw new Error(LOST)
  }

  const commit = async (session: Session): Promise<Result> => {
    if (session.isAborted) {
      await rollback()
      return answerTo('ROLLBACK')
    }
    const rates = faults()
    if (rates && random.chance(rates.beforeCommit)) {
      scheduler.note('lost before commit')
      return lose(session)
    }
    await database.query('COMMIT')
    const [statements, work] = [written, pending]
    end()
    for (const run of work) run()
    await committed(statements)
    if (rates && random.chance(rates.afterCommit)) {
      scheduler.note('lost after commit')
      return lose(session)
    }
    return answerTo('COMMIT')
  }

  const run = async (session: Session, { text, values }: Statement): Promise<Result> => {
    if (session.isAborted) throw databaseError('25P02', 'current transaction is aborted')
    const rates = faults()
    if (rates && random.chance(rates.connection)) {
      scheduler.note('connection lost')
      return lose(session)
    }
    if (rates && owner === session && random.chance(rates.serialization)) {
      session.isAborted = true
      throw databaseError(SERIALIZATION_FAILURE, 'could not serialize access due to concurrent update')
    }
    if (rates && random.chance(rates.slow)) scheduler.pass(random.between(0, SLOW_MS))
    try {
      const result = (await database.query(rewrite(text), values)) as unknown as Result
      scheduler.note(`rows ${result.rowCount}`)
      if (owner === session) written.push(text)
      else await committed([text])
      return result
    } catch (error) {
      if (owner === session) session.isAborted = true
      throw error
    }
  }

  const perform = async (session: Session, statement: Statement): Promise<Result> => {
    if (session.isBroken) throw new Error(LOST)
    switch (statement.text) {
      case 'begin':
        session.isAborted = false
        await database.query('BEGIN')
        owner = session
        return answerTo('BEGIN')
      case 'commit':
        return commit(session)
      case 'rollback':
        await rollback()
        return answerTo('ROLLBACK')
      default:
        return run(session, statement)
    }
  }

  const query = (session: Session, statement: Statement): Promise<Result> =>
    scheduler.point(labelOf(statement.text), () => perform(session, statement), {
      readyAt: () => (owner === undefined || owner === session || session.isBroken ? 0 : Infinity),
    })

  return {
    open: (process) => {
      const pool: PostgresPool = {
        connect: async () => clientOf(query, { process, isBroken: false, isAborted: false }),
        end: async () => undefined,
        options: {},
      }
      return new Kysely({ dialect: new PostgresDialect({ pool }) })
    },
    holder: () => owner?.process,
    isReadable: () => owner?.isAborted !== true,
    onCommit: (work) => {
      if (owner) pending.push(work)
      else work()
    },
    sever: async (process) => {
      if (owner?.process !== process) return
      owner.isBroken = true
      await rollback()
    },
  }
}

function clientOf(
  query: (session: Session, statement: Statement) => Promise<Result>,
  session: Session,
): PostgresPoolClient {
  const ask = (text: string, values: readonly unknown[] = []) => query(session, { text, values })
  return { query: ask as unknown as PostgresPoolClient['query'], release: () => undefined }
}

function answerTo(command: string): Result {
  return { command: command as 'UPDATE', rowCount: 0, rows: [] }
}

function databaseError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, severity: 'ERROR' })
}

const labels = new Map<string, string>()

/** The verb and the table are enough to distinguish one step from another. */
function labelOf(text: string): string {
  const known = labels.get(text)
  if (known !== undefined) return known
  const label = text.trim().replaceAll(/\s+/g, ' ').slice(0, 60)
  labels.set(text, label)
  return label
}
