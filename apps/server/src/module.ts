/** What a module gives the program. `app.ts` lists the modules; nothing is found by itself. */
import type { ProcessRole } from './config/config.ts'
import type { Context } from './context.ts'
import type { Subscriber } from './events/outbox.ts'
import type { MountedRoutes } from './http/handlers.ts'
import type { Job, ReportRun } from './jobs/jobs.ts'
import type { Running, WorkerGroup } from './jobs/worker-group.ts'
import type { LoopWorker } from './jobs/workers.ts'

/** Work that runs until it is stopped, as part of a worker that operators know. */
export type Loop = {
  readonly role: ProcessRole
  readonly worker: LoopWorker
  readonly start: (ctx: Context, report: ReportRun) => Running
}

/** Workers that come and go while the process runs: one for each blockchain. */
export type WorkersOfRole = { readonly role: ProcessRole; readonly start: (ctx: Context) => WorkerGroup }

export type Module = {
  /** The name of its folder, which has its place in the order of modules. */
  readonly name: string
  readonly routes?: readonly MountedRoutes[]
  readonly jobs?: readonly Job[]
  /** Run in the transaction of an event, in the order of the modules. */
  readonly subscribers?: readonly Subscriber[]
  /** Makes sure of something at every start; harmless to repeat. */
  readonly prepare?: (ctx: Context) => Promise<void>
  readonly loops?: readonly Loop[]
  readonly workers?: readonly WorkersOfRole[]
}
