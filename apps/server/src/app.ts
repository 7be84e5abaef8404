/** The only file that knows everyone: builds the context, mounts handlers, registers jobs and subscribers. */
import { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'
import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { acceptedAssetsRoutes } from '@kassa/contract/blockchains/accepted-assets-routes.ts'
import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { nodesRoutes } from '@kassa/contract/blockchains/node-routes.ts'
import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { bulkJobsRoutes } from '@kassa/contract/bulk-jobs/routes.ts'
import { customersRoutes } from '@kassa/contract/customers/routes.ts'
import { depositsRoutes } from '@kassa/contract/deposits/routes.ts'
import { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'
import { reconciliationRoutes } from '@kassa/contract/reconciliation/routes.ts'
import { reconciliationJobs } from './modules/reconciliation/jobs.ts'
import { reconciliationHandlers } from './modules/reconciliation/routes.ts'
import { reconciliationInvariants } from './modules/reconciliation/service.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentsRoutes, paymentStreamRoutes } from '@kassa/contract/payments/routes.ts'
import { pricesRoutes } from '@kassa/contract/prices/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { realtimeRoutes } from '@kassa/contract/realtime/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { systemRoutes } from '@kassa/contract/system/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { workersRoutes } from '@kassa/contract/workers/routes.ts'
import { connect } from '@kassa/chains/node/client.ts'
import { answerAddresses } from '@kassa/checkout/render/addresses.ts'
import { readChoice } from '@kassa/checkout/render/choice.ts'
import { renderCheckout, renderFault, renderUnknown } from '@kassa/checkout/render/page.ts'
import { renderReceipt } from '@kassa/checkout/render/receipt.ts'
import { hasReceipt, onlyOption } from '@kassa/checkout/render/rules.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import { asSystem, type Context, realSleep } from './context.ts'
import { openDatabase } from './db/database.ts'
import { createEgress } from './egress/guarded.ts'
import { type LiveChannel, openLiveChannel } from './events/live-channel.ts'
import { createEvents, type Subscription } from './events/outbox.ts'
import type { ProjectFacts } from './http/access.ts'
import { idempotencyJobs } from './http/idempotency/jobs.ts'
import { mountMetrics } from './http/metrics-page.ts'
import { mount, type MountOptions, newRequestId } from './http/mount.ts'
import { rateLimitJobs } from './http/rate-limit/jobs.ts'
import { createRateLimiter, type RateLimiter, rateSubject } from './http/rate-limit/rate-limit.ts'
import { createServer } from './http/server.ts'
import { type ProcessState, systemHandlers } from './http/system.ts'
import type { JobDefinition } from './jobs/jobs.ts'
import { type JobQueue, openJobQueue } from './jobs/queue.ts'
import { alarmsHandlers } from './modules/alarms/routes.ts'
import { apiKeysHandlers } from './modules/api-keys/routes.ts'
import { findApiKey, noteApiKeyUse } from './modules/api-keys/service.ts'
import { authJobs } from './modules/auth/jobs.ts'
import { authHandlers, passwordHandlers } from './modules/auth/routes.ts'
import { endedByPassword, findSession } from './modules/auth/sessions/service.ts'
import { prepareSetupCode } from './modules/auth/sign-in/service.ts'
import { blockchainsJobs, CHECK_ASSETS_QUEUE } from './modules/blockchains/jobs.ts'
import { acceptedAssetsHandlers, projectsHandlers } from './modules/projects/routes.ts'
import { blockchainChangesHandlers, blockchainsHandlers, nodesHandlers } from './modules/blockchains/routes.ts'
import { findBlockchain, seedBlockchains } from './modules/blockchains/chains/service.ts'
import { setSandboxNode, startMonitoringNodes } from './modules/blockchains/nodes/service.ts'
import { bulkJobsJobs } from './modules/bulk-jobs/jobs.ts'
import { bulkJobsHandlers } from './modules/bulk-jobs/routes.ts'
import { customersHandlers } from './modules/customers/routes.ts'
import { depositsHandlers } from './modules/deposits/routes.ts'
import { countWaiting, depositsInvariants } from './modules/deposits/service.ts'
import { ledgerJobs } from './modules/ledger/jobs.ts'
import { type LedgerLookups, ledgerHandlers } from './modules/ledger/routes.ts'
import { type Invariant, ledgerInvariants } from './modules/ledger/service.ts'
import { mailHandlers } from './modules/mail/routes.ts'
import { rootExists } from './modules/operators/service.ts'
import { paymentsJobs } from './modules/payments/jobs.ts'
import { paymentRepairHandlers, paymentsHandlers } from './modules/payments/routes.ts'
import { paymentsBulkActions } from './modules/payments/bulk/service.ts'
import { checkoutFacts } from './modules/payments/views/service.ts'
import { diagnosePayment } from './modules/payments/diagnosis/service.ts'
import {
  getByReference,
  isStillOpen,
  paymentsInvariants,
  sourcesOfPayment,
} from './modules/payments/payment/service.ts'
import { pinPayment } from './modules/payments/quotes/service.ts'
import { pricesJobs } from './modules/prices/jobs.ts'
import { pricesHandlers } from './modules/prices/routes.ts'
import { currentPrices } from './modules/prices/service.ts'
import { findProject, findUpload } from './modules/projects/service.ts'
import { realtimeJobs } from './modules/realtime/jobs.ts'
import { paymentStreamHandlers, realtimeHandlers } from './modules/realtime/routes.ts'
import { serveSockets } from './modules/realtime/service.ts'
import { settingsHandlers } from './modules/settings/routes.ts'
import { allowedOrigins, backendUrl, setting, siteUrl } from './modules/settings/service.ts'
import { walletsJobs } from './modules/wallets/jobs.ts'
import { walletsHandlers } from './modules/wallets/routes.ts'
import { watchJobs } from './modules/watch/jobs.ts'
import { addressProofKey } from './modules/vaults/service.ts'
import { startWatching } from './modules/watch/follow/service.ts'
import { webhooksJobs } from './modules/webhooks/jobs.ts'
import { webhooksHandlers } from './modules/webhooks/routes.ts'
import { followProject } from './modules/webhooks/endpoints/service.ts'
import { queueDeliveries } from './modules/webhooks/deliveries/service.ts'
import { startDelivering } from './modules/webhooks/sending/service.ts'
import { workersHandlers } from './modules/workers/routes.ts'
import {
  type WorkerGroup,
  isLate,
  listenerGroup,
  NODE_WORKER,
  startWorkerGroup,
  superviseWorkers,
  workerOfQueue,
  workerStates,
} from './modules/workers/service.ts'
import { answerUnreadable, type CheckoutRenderers, mountCheckout } from './pages/checkout.ts'
import { mountDashboard } from './pages/dashboard.ts'
import { mountReference } from './pages/reference.ts'
import { mountUploads } from './pages/uploads.ts'
import type { SandboxChains } from './sandbox/chains.ts'
import { mountExplorer } from './sandbox/explorer.ts'
import { sandboxHandlers } from './sandbox/handlers.ts'

/** What happens in the transaction of an event, in this order. */
const SUBSCRIPTIONS: readonly Subscription[] = [
  { to: 'project.created', run: followProject },
  { to: 'project.changed', run: followProject },
  { runAll: queueDeliveries },
]

/** What bulk jobs can do. */
const BULK_ACTIONS = [...paymentsBulkActions]

/** What must hold in the ledger, as each module states it of its own rows. */
export const INVARIANTS: readonly Invariant[] = [
  ...ledgerInvariants,
  ...depositsInvariants,
  ...paymentsInvariants,
  ...reconciliationInvariants,
]

/** What the ledger's readers ask of modules that the ledger does not know. */
const LEDGER_LOOKUPS: LedgerLookups = {
  currentPrices,
  sourcesOf: async (ctx, { referenceID }) => (referenceID ? sourcesOfPayment(ctx, referenceID) : undefined),
}

const JOBS: readonly JobDefinition[] = [
  ...idempotencyJobs,
  ...authJobs,
  ...blockchainsJobs,
  ...walletsJobs,
  ...pricesJobs,
  ...webhooksJobs,
  ...paymentsJobs,
  ...bulkJobsJobs(BULK_ACTIONS),
  ...ledgerJobs,
  ...reconciliationJobs(INVARIANTS),
  ...watchJobs,
  ...realtimeJobs,
  ...rateLimitJobs,
]

/** The payer's pages as their own package renders them. */
const RENDERERS: CheckoutRenderers = {
  checkout: renderCheckout,
  receipt: renderReceipt,
  addresses: answerAddresses,
  unknown: renderUnknown,
  fault: renderFault,
  hasReceipt,
  onlyOption,
  readChoice,
}

/** The check of contracts at a start waits until those who read the blockchains have opened their nodes. */
const CHECK_ASSETS_AFTER_MS = 20_000

export type AppOptions = {
  readonly log: Logger
  readonly now?: () => Date
  /** The local chains of the sandbox, in the process that runs them. */
  readonly chains?: SandboxChains | null
  /** Tests: undeclared refusals are faults, and rate limits are wide. */
  readonly isTest?: boolean
}

export type App = {
  readonly ctx: Context
  readonly http: FastifyInstance
  /** Begins to take background jobs. */
  readonly startWorking: () => Promise<void>
  /** Begins to read the blockchains. */
  readonly startWatching: () => Promise<void>
  /** Whether a deposit on this blockchain waits for more blocks. */
  readonly waitsForBlocks: (code: string) => Promise<boolean>
  /** Whether somebody has set this server up already. */
  readonly hasAccount: () => Promise<boolean>
  /** Stops taking work, lets what runs come to its end, and closes every connection. */
  readonly close: () => Promise<void>
}

/** Builds the program on a migrated database; nothing listens and nothing runs yet. */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const database = openDatabase(config.databaseUrl, { isDirect: config.databaseUrl === config.databaseDirectUrl })
  const egress = createEgress(config.network, { allowed: () => setting(ctx, 'security.egress_allow') })
  const queue = await openJobQueue(config.databaseDirectUrl, options.log, JOBS)
  const channel = await openLiveChannel(config.databaseDirectUrl, options.log)
  const ctx: Context = {
    db: database.db,
    config,
    log: options.log,
    now: options.now ?? (() => new Date()),
    sleep: realSleep,
    jobs: queue.jobs,
    events: createEvents(SUBSCRIPTIONS),
    egress,
    connect,
    caller: { kind: 'nobody' },
    requestId: newRequestId(),
  }
  await prepare(asSystem(ctx), options.chains ?? null)
  const state: ProcessState = {
    isDraining: false,
    isDiskFull: database.isDiskFull,
    workers: () => workerStates(asSystem(ctx)),
    isLate,
  }
  const http = await createServer(ctx, { origins: allowedOrigins, answerUnreadable: answerUnreadable(RENDERERS) })
  const limiter = createRateLimiter({ factor: options.isTest ? 1000 : 1 })
  mountRoutes(http, mountOptions(ctx, options, limiter), { state, channel, chains: options.chains ?? null })
  await mountPages(http, ctx, limiter)
  serveSockets(ctx, http, channel)
  const supervisor = superviseWorkers(ctx, channel)
  return {
    ctx,
    http,
    startWorking: async () => {
      await supervisor.add(await startJobGroups(ctx, queue, channel))
      const startAfter = new Date(ctx.now().getTime() + CHECK_ASSETS_AFTER_MS)
      await ctx.jobs.send(ctx, CHECK_ASSETS_QUEUE, {}, { singletonKey: 'start', startAfter })
    },
    startWatching: async () => {
      const nodes = await startWorkerGroup(NODE_WORKER, async (note) => [startMonitoringNodes(ctx, note)])
      await supervisor.add([listenerGroup(startWatching(ctx)), nodes])
    },
    waitsForBlocks: (code) => waitsForBlocks(asSystem(ctx), code),
    hasAccount: () => rootExists(asSystem(ctx)),
    close: async () => {
      state.isDraining = true
      await http.close()
      await supervisor.stop()
      await queue.stop()
      await channel.close()
      await egress.close()
      await database.close()
    },
  }
}

/** Starts to take jobs and to send due deliveries: one group for each worker that operators know. */
async function startJobGroups(ctx: Context, queue: JobQueue, channel: LiveChannel): Promise<WorkerGroup[]> {
  const groups = [...Map.groupBy(JOBS, (job) => workerOfQueue(job.queue))]
  return Promise.all(
    groups.map(([name, jobs]) =>
      startWorkerGroup(name, async (note) => {
        const taking = await queue.work(ctx, jobs, note)
        return name === 'webhook-processor' ? [taking, startDelivering(ctx, channel, note)] : [taking]
      }),
    ),
  )
}

/** What every start makes sure of; harmless to repeat. */
async function prepare(ctx: Context, chains: SandboxChains | null): Promise<void> {
  await seedBlockchains(ctx)
  await prepareSetupCode(ctx)
  for (const [code, url] of Object.entries(chains?.nodes ?? {})) await setSandboxNode(ctx, code, url)
}

function mountOptions(ctx: Context, { isTest = false }: AppOptions, limiter: RateLimiter): MountOptions {
  return {
    ctx,
    lookups: { findSession, endedByPassword, findApiKey, noteApiKeyUse },
    findProject: projectFacts,
    limiter,
    origins: allowedOrigins,
    dedupeHolds: { Y1: isStillOpen, Y3: isStillOpen },
    isStrict: isTest,
  }
}

type Parts = { readonly state: ProcessState; readonly channel: LiveChannel; readonly chains: SandboxChains | null }

function mountRoutes(http: FastifyInstance, options: MountOptions, { state, channel, chains }: Parts): void {
  mount(http, options, systemRoutes, systemHandlers(state))
  mount(http, options, workersRoutes, workersHandlers)
  mount(http, options, alarmsRoutes, alarmsHandlers)
  mount(http, options, authRoutes, authHandlers)
  mount(http, options, passwordRoutes, passwordHandlers)
  mount(http, options, settingsRoutes, settingsHandlers)
  mount(http, options, mailRoutes, mailHandlers)
  mount(http, options, projectsRoutes, projectsHandlers)
  mount(http, options, blockchainsRoutes, blockchainsHandlers)
  mount(http, options, blockchainChangesRoutes, blockchainChangesHandlers)
  mount(http, options, nodesRoutes, nodesHandlers)
  mount(http, options, acceptedAssetsRoutes, acceptedAssetsHandlers)
  mount(http, options, apiKeysRoutes, apiKeysHandlers)
  mount(http, options, customersRoutes, customersHandlers)
  mount(http, options, walletsRoutes, walletsHandlers)
  mount(http, options, pricesRoutes, pricesHandlers)
  mount(http, options, paymentsRoutes, paymentsHandlers)
  mount(http, options, paymentRepairRoutes, paymentRepairHandlers)
  mount(http, options, depositsRoutes, depositsHandlers)
  mount(http, options, bulkJobsRoutes, bulkJobsHandlers(BULK_ACTIONS))
  mount(http, options, ledgerRoutes, ledgerHandlers(LEDGER_LOOKUPS))
  mount(http, options, reconciliationRoutes, reconciliationHandlers(INVARIANTS))
  mount(http, options, paymentStreamRoutes, paymentStreamHandlers(channel))
  mount(http, options, webhooksRoutes, webhooksHandlers)
  mount(http, options, realtimeRoutes, realtimeHandlers)
  mount(http, options, sandboxRoutes, sandboxHandlers(chains))
}

async function mountPages(http: FastifyInstance, ctx: Context, limiter: RateLimiter): Promise<void> {
  mountMetrics(http, ctx)
  mountReference(http)
  mountUploads(http, ctx, findUpload)
  if (ctx.config.network === 'sandbox') mountExplorer(http, ctx)
  await mountCheckout(http, ctx, RENDERERS, {
    load: checkoutFacts,
    choose: async (callCtx, reference, choice) => {
      await pinPayment(callCtx, reference, {
        blockchainCode: choice.blockchain_code,
        currencyCode: choice.currency_code,
      })
    },
    diagnose: async (callCtx, reference, question) =>
      diagnosePayment(callCtx, await getByReference(callCtx, reference), question),
    siteUrl,
    proofKey: async (callCtx) => (await addressProofKey(asSystem(callCtx))).publicKey,
    limit: (callCtx, rate, ip) => limiter(callCtx, rate, rateSubject(null, ip)),
  })
  await mountDashboard(http, ctx, { backend: backendUrl })
}

async function waitsForBlocks(ctx: Context, code: string): Promise<boolean> {
  const blockchain = await findBlockchain(ctx, code)
  return blockchain !== undefined && (await countWaiting(ctx, blockchain.id)) > 0
}

async function projectFacts(ctx: Context, id: number): Promise<ProjectFacts | null> {
  const project = await findProject(ctx, id)
  return project && { id, name: project.name, isArchived: project.status === 'archived' }
}
