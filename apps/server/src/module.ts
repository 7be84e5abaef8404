/** What a module gives the program. `app.ts` lists the modules; nothing is discovered automatically. */
import type { ProcessRole } from './config/config.ts'
import type { Context } from './context.ts'
import type { Subscriber } from './events/outbox.ts'
import type { MountedRoutes } from './http/handlers.ts'
import type { Job, ReportRun } from './jobs/jobs.ts'
import type { Running, WorkerGroup } from './jobs/worker-group.ts'
import type { LoopWorker } from './config/workers.ts'

/** Work that runs until it is stopped, as part of a worker that operators know. */
export type Loop = {
  readonly role: ProcessRole
  readonly worker: LoopWorker
  readonly start: (ctx: Context, report: ReportRun) => Running
}

/** Workers that come and go while the process runs: one for each blockchain. */
export type WorkersOfRole = { readonly role: ProcessRole; readonly start: (ctx: Context) => WorkerGroup }

/** An invariant: a rule that the ledger keeps at any time (money.md 4.5), stated by the module whose rows it compares. */
export type Invariant = {
  readonly name: string
  /** The rule, as a sentence. */
  readonly rule: string
  /** Returns one row per violation, with a column `subject` that names it; no row when the rule holds. */
  readonly sql: (touched: Touched) => string
  /** Verified in a full check only, because it always reads the whole journal. */
  readonly isFullOnly?: true
}

/** What a check covers, as SQL conditions. */
export type Touched = {
  /** A condition on `entry`, a row of the journal. */
  readonly entry: string
  /** A condition on `account`. */
  readonly account: string
  /**
   * A condition on rows of another module: those that entries with sources of a noun (`deposit`) are about. `within` builds it
   * from a query of their ids; without it everything is covered.
   */
  readonly about: (noun: string, within: (ids: string) => string) => string
}

export type Module = {
  /** The name of its folder, which has a place in the order of modules. */
  readonly name: string
  readonly routes?: readonly MountedRoutes[]
  readonly jobs?: readonly Job[]
  /** Run in the transaction of an event, in the order of the modules. */
  readonly subscribers?: readonly Subscriber[]
  /** What must hold in the ledger; verified together with those of every module. */
  readonly invariants?: readonly Invariant[]
  /** Work of every start; harmless to repeat. */
  readonly prepare?: (ctx: Context) => Promise<void>
  readonly loops?: readonly Loop[]
  readonly workers?: readonly WorkersOfRole[]
}
