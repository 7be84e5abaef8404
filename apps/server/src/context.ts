import type { Permission, Scope } from '@kassa/contract/permissions.ts'
import type { Logger } from 'pino'

import type { Config } from './config/config.ts'
import type { Db } from './db/database.ts'
import type { Egress } from './egress/egress.ts'
import type { Events } from './events/events.ts'
import type { Jobs } from './jobs/jobs.ts'

/** What an operator may do: permissions held for the whole install, and those of single projects. */
export type Grants = {
  readonly install: ReadonlySet<Permission>
  readonly projects: ReadonlyMap<number, ReadonlySet<Permission>>
}

/** Who is calling. `system` is the program itself: jobs, the watcher, the command line. */
export type Caller =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'system' }
  | {
      readonly kind: 'operator'
      readonly operatorId: number
      readonly sessionId: number
      readonly email: string
      readonly restricted: boolean
      /** Until when proof of presence holds (api.md 2.7), or null. */
      readonly stepUpUntil: Date | null
      readonly grants: Grants
    }
  | {
      readonly kind: 'key'
      readonly keyId: number
      readonly projectId: number
      readonly scopes: ReadonlySet<Scope>
    }

/** All a use case may reach. Built once in app.ts; mount adds the caller per request; a test builds its own. */
export type Context = {
  /** The pool, or the open transaction inside `inTransaction`. */
  readonly db: Db
  readonly config: Config
  readonly log: Logger
  readonly now: () => Date
  readonly jobs: Jobs
  readonly events: Events
  readonly egress: Egress
  readonly caller: Caller
  readonly requestId: string
}

/**
 * Runs the work in one database transaction and commits when it resolves; joins the transaction that is already open.
 * Calls to the outside (mail, nodes, hashing) stay out of it.
 */
export async function inTransaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  return ctx.db.transaction().execute((db) => work({ ...ctx, db }))
}

/** The context of the program itself, for jobs and loops. */
export function asSystem(ctx: Context): Context {
  return { ...ctx, caller: { kind: 'system' } }
}

/** Who did it, as events and the journal remember it: `operator:1`, `key:7`, `system` or `payer`. */
export function actorOf(caller: Caller): string {
  if (caller.kind === 'operator') return `operator:${caller.operatorId}`
  if (caller.kind === 'key') return `key:${caller.keyId}`
  return caller.kind === 'nobody' ? 'payer' : 'system'
}
