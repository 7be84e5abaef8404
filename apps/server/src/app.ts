/** The only file that knows everyone: builds the context, mounts handlers, registers jobs and subscribers. */
import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { systemRoutes } from '@kassa/contract/system/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import type { Config } from './config/config.ts'
import { asSystem, type Context } from './context.ts'
import { openDatabase } from './db/database.ts'
import { createEgress } from './egress/guarded.ts'
import { createEvents, type Subscription } from './events/outbox.ts'
import type { ProjectFacts } from './http/access.ts'
import { mount, type MountOptions, newRequestId } from './http/mount.ts'
import { createRateLimiter } from './http/rate-limit/rate-limit.ts'
import { createServer } from './http/server.ts'
import { type ProcessState, systemHandlers } from './http/system.ts'
import type { JobDefinition } from './jobs/jobs.ts'
import { openJobQueue } from './jobs/queue.ts'
import { apiKeysHandlers } from './modules/api-keys/routes.ts'
import { findApiKey } from './modules/api-keys/service.ts'
import { authJobs } from './modules/auth/jobs.ts'
import { authHandlers } from './modules/auth/routes.ts'
import { findSession, prepareSetupCode } from './modules/auth/service.ts'
import { blockchainsHandlers } from './modules/blockchains/routes.ts'
import { seedBlockchains } from './modules/blockchains/service.ts'
import { projectsHandlers } from './modules/projects/routes.ts'
import { findProject } from './modules/projects/service.ts'
import { settingsHandlers } from './modules/settings/routes.ts'
import { allowedOrigins } from './modules/settings/service.ts'
import { walletsJobs } from './modules/wallets/jobs.ts'
import { walletsHandlers } from './modules/wallets/routes.ts'

/** What happens in the transaction of an event, in this order. */
const SUBSCRIPTIONS: readonly Subscription[] = []

const JOBS: readonly JobDefinition[] = [...authJobs, ...walletsJobs]

export type AppOptions = {
  readonly log: Logger
  readonly now?: () => Date
  /** Tests: undeclared refusals are faults, and rate limits are wide. */
  readonly isTest?: boolean
}

export type App = {
  readonly ctx: Context
  readonly http: FastifyInstance
  readonly state: ProcessState
  /** Begins to take background jobs. */
  readonly startWorking: () => Promise<void>
  /** Stops taking work, lets what runs come to its end, and closes every connection. */
  readonly close: () => Promise<void>
}

/** Builds the program on a migrated database; nothing listens and nothing runs yet. */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const database = openDatabase(config.databaseUrl)
  const egress = createEgress(config.network)
  const queue = await openJobQueue(config.databaseDirectUrl, options.log, JOBS)
  const ctx: Context = {
    db: database.db,
    config,
    log: options.log,
    now: options.now ?? (() => new Date()),
    jobs: queue.jobs,
    events: createEvents(SUBSCRIPTIONS),
    egress,
    caller: { kind: 'nobody' },
    requestId: newRequestId(),
  }
  await seedBlockchains(asSystem(ctx))
  await prepareSetupCode(asSystem(ctx))
  const state: ProcessState = { isDraining: false, workers: async () => ({}) }
  const http = await createServer(ctx, { origins: allowedOrigins })
  mountRoutes(http, mountOptions(ctx, options), state)
  return {
    ctx,
    http,
    state,
    startWorking: () => queue.work(ctx, JOBS),
    close: async () => {
      state.isDraining = true
      await http.close()
      await queue.stop()
      await egress.close()
      await database.close()
    },
  }
}

function mountOptions(ctx: Context, { isTest = false }: AppOptions): MountOptions {
  return {
    ctx,
    lookups: { findSession, findApiKey },
    findProject: projectFacts,
    limiter: createRateLimiter({ factor: isTest ? 1000 : 1 }),
    origins: allowedOrigins,
    dedupeHolds: {},
    isStrict: isTest,
  }
}

function mountRoutes(http: FastifyInstance, options: MountOptions, state: ProcessState): void {
  mount(http, options, systemRoutes, systemHandlers(state))
  mount(http, options, authRoutes, authHandlers)
  mount(http, options, settingsRoutes, settingsHandlers)
  mount(http, options, apiKeysRoutes, apiKeysHandlers)
  mount(http, options, projectsRoutes, projectsHandlers)
  mount(http, options, blockchainsRoutes, blockchainsHandlers)
  mount(http, options, walletsRoutes, walletsHandlers)
}

async function projectFacts(ctx: Context, id: number): Promise<ProjectFacts | null> {
  const project = await findProject(ctx, id)
  return project && { id, name: project.name, isArchived: project.status === 'archived' }
}
