import { setTimeout } from 'node:timers/promises'
import type { NodeClient, NodeOptions } from '@kassa/chains/node/client.ts'
import type { FactorMethod } from '@kassa/contract/operators/schemas.ts'
import type { Permission, Scope } from '@kassa/contract/permissions.ts'
import type { EventType } from '@kassa/contract/webhooks/events.ts'
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { Keys } from './config/keys.ts'
import type { Db } from './db/database.ts'
import { whileOpen } from './db/open-transaction.ts'
import type { Sharing } from './db/round-trips/together.ts'
import type { Egress } from './egress/egress.ts'
import type { JobWorker } from './config/workers.ts'
import type { Memory } from './memory.ts'

/** The permissions of an operator, for the whole install and for single projects. */
export type Grants = {
  readonly install: ReadonlySet<Permission>
  /** Those of `install` that come from a role for the whole install, and so cover the rows of every project. */
  readonly everywhere: ReadonlySet<Permission>
  readonly projects: ReadonlyMap<number, ReadonlySet<Permission>>
}

/** Who calls. `system` is the program itself: jobs, the watcher, commands. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'system' }
  | {
      readonly kind: 'operator'
      readonly operatorId: number
      readonly sessionId: number
      readonly email: string
      readonly restricted: boolean
      /** Until when the proof of presence is valid (api.md 2.7), or null. */
      readonly stepUpUntil: Date | null
      /** The second factors of the operator. */
      readonly secondFactors: readonly FactorMethod[]
      /** For what the install requires a second factor that the operator lacks; null when for nothing. */
      readonly missingFactor: 'money' | 'always' | null
      readonly grants: Grants
    }
  | {
      readonly kind: 'key'
      readonly keyId: number
      readonly projectId: number
      /** The operator who was shown the value of the key that was used. */
      readonly knownTo: number
      readonly scopes: ReadonlySet<Scope>
    }
  /** A paired signing device, by its own key. */
  | { readonly kind: 'device'; readonly deviceId: number; readonly name: string }
  /** A promoter on their own page, by the token of its link. */
  | ({ readonly kind: 'promoter' } & PromoterFacts)

export type PromoterFacts = { readonly tokenId: bigint; readonly referrerId: number; readonly projectId: number }

export type JobOptions = {
  /** The earliest time. */
  readonly startAfter?: Date
  /** At most one waiting job of the queue has this key. */
  readonly singletonKey?: string
}

/** Queues work inside the open transaction, so that the work exists exactly when the change that caused it does. */
export type Jobs = {
  readonly send: (ctx: Context, queue: string, data: object, options?: JobOptions) => Promise<void>
  /** The worker that takes the jobs of a queue; undefined when this version knows no such queue. */
  readonly workerOf: (queue: string) => JobWorker | undefined
}

export type NewEvent = {
  readonly type: EventType
  readonly projectId: number | null
  /** Events with the same key are delivered in order of `sequence` (api.md 6.4). */
  readonly orderKey?: string
  readonly sequence?: number
  readonly referenceId?: string
  /** What receivers and the timeline read: for a payment the payload of api.md 6.2. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** An event as it will be stored. */
export type EventRow = NewEvent & {
  /** = `webhook-id`. */
  readonly eventId: string
  readonly actor: string
  readonly createdAt: Date
}

export type StoredEvent = EventRow & { readonly id: bigint }

/** The outbox: an event is a row in the transaction of the change that caused it. */
export type Events = {
  readonly emit: (ctx: Context, event: NewEvent) => Promise<StoredEvent>
  /** Emits several at once, in their order, in a handful of statements however many. */
  readonly emitAll: (ctx: Context, events: readonly NewEvent[]) => Promise<StoredEvent[]>
  /**
   * As `emit`, but the event is stored within a statement of the caller's (`insertEventRows`), which gives its id; returns what
   * that gives.
   */
  readonly emitWithin: <T extends { readonly eventId: bigint }>(
    ctx: Context,
    event: NewEvent,
    run: (row: EventRow) => Promise<T>,
  ) => Promise<T>
  /** Notifies open screens only, after commit; stores nothing (payment.progress and the like). */
  readonly announce: (ctx: Context, announcement: Announcement) => void
  readonly announceAll: (ctx: Context, announcements: readonly Announcement[]) => void
  /** Sends messages about committed changes to the listeners of every process; returns at once. */
  readonly publish: (messages: readonly LiveMessage[]) => void
}

export type Announcement = {
  readonly name: string
  readonly projectId: number | null
  /** The operator it concerns, when it concerns only one. */
  readonly operatorId?: number
  readonly referenceId?: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A committed change, as open screens receive it. */
export type LiveMessage = {
  readonly name: string
  readonly projectId: number | null
  /** The operator it concerns, when it concerns only one. */
  readonly operatorId?: number
  readonly referenceId?: string
  readonly data: Readonly<Record<string, unknown>>
  /** RFC 3339. */
  readonly at: string
}

export type Live = {
  /** Receives every message from now on; call the result to stop. `null` means that messages may have been missed. */
  readonly subscribe: (listener: (message: LiveMessage | null) => void) => () => void
}

/** How a caller confirmed a call (api.md 2.7): by a factor over exactly these bytes, or by the open window. */
export type Confirmation = {
  readonly method: FactorMethod | 'password' | 'window'
  /** What a passkey signed, as JSON; null for other factors. */
  readonly signature: Buffer | null
}

/** Everything a use case may use. Built once in app.ts; the HTTP layer adds the caller per request; a test builds its own. */
export type Context = {
  /** The pool, or the open transaction inside `inTransaction`. */
  readonly db: Db
  /** What the open transaction announces once it has committed; absent outside of one. */
  readonly announced?: LiveMessage[]
  /** Work for after the commit of the open transaction; absent outside of one. */
  readonly committed?: (() => Promise<void>)[]
  /** What the calls of the open transaction ask for together; absent where it is of one call alone. */
  readonly sharing?: Sharing
  readonly config: Config
  /** The keys that the roles of this process may use; see `keyFor`. */
  readonly keys: Keys
  /** What this process remembers between calls; see `remembered`. */
  readonly memory: Memory
  readonly log: Logger
  readonly now: () => Date
  /** Waits, or returns at once when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly jobs: Jobs
  readonly events: Events
  /** Committed changes of every process. */
  readonly live: Live
  readonly egress: Egress
  /** Opens a client for one node of a blockchain; nothing is sent before its first call. */
  readonly connect: (node: NodeOptions) => NodeClient
  readonly caller: Caller
  /** How this call was confirmed, where its route asks for that. */
  readonly confirmation?: Confirmation
  /**
   * Records a change of the call for the activity log, which stores the fields that differ; secrets are removed by the names of
   * their fields. Changes of the program itself are not recorded.
   */
  readonly change: (before: object | null, after: object | null, facts?: ChangeFacts) => void
  /** The version of the configuration that was read with the caller's credential; see `versioned`. */
  readonly configVersion?: bigint
  readonly requestId: string
}

/**
 * Runs the work in one database transaction and commits when it resolves; joins a transaction that is already open.
 * Announcements are published after the commit (0023). Keep calls to the outside (mail, nodes, hashing) out of it.
 */
export async function inTransaction<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  const announced: LiveMessage[] = []
  const committed: (() => Promise<void>)[] = []
  const result = await ctx.db.transaction().execute((db) => whileOpen(() => work({ ...ctx, db, announced, committed })))
  ctx.events.publish(announced)
  for (const follow of committed) await follow()
  return result
}

/**
 * Runs the work once the open transaction has committed; at once when none is open. For work that must see the change on
 * another connection. A failure is logged and does not affect the change.
 */
export async function afterCommit(ctx: Context, work: () => Promise<void>): Promise<void> {
  const follow = () => work().catch((err: unknown) => ctx.log.warn({ err }, 'What follows a commit failed'))
  if (ctx.committed) ctx.committed.push(follow)
  else await follow()
}

/** Waits in real time; the `sleep` of a running program. */
export async function realSleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined)
}

/** Facts of a change besides its two sides. */
export type ChangeFacts = {
  /** The project it belongs to, where the path names none. */
  readonly projectId?: number | null
  /** Who made it, where the call has no credential yet. */
  readonly actor?: { readonly operatorId: number; readonly email: string; readonly sessionId?: number }
}

/** A change as the activity log stores it: a creation has no before, a removal no after. */
export type Change = ChangeFacts & { readonly before: object | null; readonly after: object | null }

/** The context of the program itself, for jobs and loops. */
export function asSystem(ctx: Context): Context {
  return { ...ctx, caller: { kind: 'system' } }
}

/**
 * Who made a change, as events and the journal store it: `operator:1`, `key:7`, `device:2`, `promoter:3`, `system` or `payer`.
 */
export function actorOf(caller: Caller): string {
  if (caller.kind === 'operator') return `operator:${caller.operatorId}`
  if (caller.kind === 'key') return `key:${caller.keyId}`
  if (caller.kind === 'device') return `device:${caller.deviceId}`
  if (caller.kind === 'promoter') return `promoter:${caller.referrerId}`
  return caller.kind === 'anonymous' ? 'payer' : 'system'
}

/**
 * Reads the database as of this moment for as long as the reading takes: later changes stay invisible, so that a list read in
 * pages adds up. Ends when the source ends or its reader leaves.
 */
export async function* inSnapshot<Row>(
  ctx: Context,
  read: (ctx: Context) => AsyncIterable<Row>,
): AsyncGenerator<Row, void> {
  const db = await ctx.db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    yield* read({ ...ctx, db })
  } finally {
    // Nothing was written: there is nothing to commit.
    await db.rollback().execute()
  }
}

/** The projects a call is about, already checked against the caller. */
export type ProjectScope = {
  /** The project of the path, or null when the path has none or says `all`. */
  readonly projectId: number | null
  /** The projects whose rows may be read; `every` for install-wide roles. */
  readonly projectIds: readonly number[] | 'every'
}

/** The facts of a request that a handler may use besides its decoded input. */
export type RequestFacts = {
  readonly method: string
  readonly ip: string
  /** What counts as one caller: the address or, for IPv6, its network of 64 bits. */
  readonly network: string
  readonly userAgent: string
  readonly referer: string
  readonly origin: string | undefined
  readonly host: string
  /** The direct peer is loopback and no header of a proxy is present. */
  readonly isThisMachine: boolean
  readonly headers: Readonly<Record<string, string | undefined>>
}
