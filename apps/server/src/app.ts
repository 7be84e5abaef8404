/** The only file that knows every module: it lists them, builds the context and starts what they bring. */
import type { EntriesQuery } from '@kassa/contract/ledger/inputs.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import type { FactorPolicy } from '@kassa/contract/settings/keys.ts'
import { systemRoutes } from '@kassa/contract/system/routes.ts'
import { connect } from '@kassa/chains/node/client.ts'
import { answerAddresses } from '@kassa/checkout/render/addresses.ts'
import { readChoice } from '@kassa/checkout/render/choice.ts'
import { renderCheckout, renderFault, renderUnknown } from '@kassa/checkout/render/page.ts'
import { renderExpired, renderPromoter } from '@kassa/checkout/render/promoter/page.ts'
import { renderReceipt } from '@kassa/checkout/render/receipt.ts'
import { receiptMail } from '@kassa/checkout/render/receipt-mail.ts'
import { renderRefund } from '@kassa/checkout/render/refund.ts'
import { hasReceipt, onlyOption } from '@kassa/checkout/render/rules.ts'
import { findBlockchain as findDefinition } from '@kassa/primitives/chains/blockchains.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { Keys } from './config/keys.ts'
import { asSystem, type Context, realSleep } from './context.ts'
import { openDatabase } from './db/database.ts'
import { analyzeGrown } from './db/table-growth.ts'
import { createEgress } from './egress/guarded.ts'
import { openLiveChannel } from './events/live-channel.ts'
import { createEvents, type Subscriber } from './events/outbox.ts'
import { createPublisher } from './events/publisher.ts'
import type { ProjectFacts } from './http/access.ts'
import { authenticate } from './http/authenticate.ts'
import { serve } from './http/handlers.ts'
import { forgetAnswersJob } from './http/idempotency/jobs.ts'
import { mountMetrics } from './http/metrics-page.ts'
import { mount, type MountOptions, newRequestId } from './http/mount.ts'
import { forgetBucketsJob } from './http/rate-limit/jobs.ts'
import { createRateLimiter, type RateLimiter, rateSubject } from './http/rate-limit/rate-limit.ts'
import { createServer } from './http/server.ts'
import { describeActions } from './http/step-up/step-up.ts'
import { type ProcessState, systemHandlers } from './http/system.ts'
import { type Job, job } from './jobs/jobs.ts'
import { type JobQueue, openJobQueue } from './jobs/queue.ts'
import { startWorkerGroup, type WorkerGroup } from './jobs/worker-group.ts'
import { WORKERS_OF_ROLE, type WorkingRole } from './config/workers.ts'
import type { Invariant, Module } from './module.ts'
import { alarms } from './modules/alarms/module.ts'
import { analytics } from './modules/analytics/module.ts'
import { apiKeys } from './modules/api-keys/module.ts'
import { findApiKey, noteApiKeyUse } from './modules/api-keys/service.ts'
import { audit } from './modules/audit/module.ts'
import { auditHook, flushRefusals } from './modules/audit/service.ts'
import { attention } from './modules/attention/module.ts'
import { auth } from './modules/auth/module.ts'
import { endedByPassword, findSession } from './modules/auth/sessions/service.ts'
import { spendToken } from './modules/auth/step-up/service.ts'
import { findBlockchain } from './modules/blockchains/chains/service.ts'
import { checkAssetsJob } from './modules/blockchains/jobs.ts'
import { blockchains } from './modules/blockchains/module.ts'
import { refuseSandboxChain, setSandboxNode } from './modules/blockchains/nodes/service.ts'
import { bulkJobs } from './modules/bulk-jobs/module.ts'
import { customers } from './modules/customers/module.ts'
import { deposits } from './modules/deposits/module.ts'
import { backups } from './modules/backups/module.ts'
import { devices } from './modules/devices/module.ts'
import { findDevice } from './modules/devices/service.ts'
import { ledger } from './modules/ledger/module.ts'
import { mail } from './modules/mail/module.ts'
import { operators } from './modules/operators/module.ts'
import { rootExists } from './modules/operators/accounts/service.ts'
import { paymentsBulkActions } from './modules/payments/bulk/service.ts'
import { requestReceipt } from './modules/payments/receipts/service.ts'
import { claimRefund } from './modules/payments/claims/service.ts'
import { diagnosePayment } from './modules/payments/diagnosis/service.ts'
import { payments } from './modules/payments/module.ts'
import { getByReference, sourcesOfPayment } from './modules/payments/payment/service.ts'
import { pinPayment } from './modules/payments/quotes/service.ts'
import { checkoutFacts } from './modules/payments/views/service.ts'
import { prices } from './modules/prices/module.ts'
import { currentPrices } from './modules/prices/service.ts'
import { projects } from './modules/projects/module.ts'
import { findProject, findUpload } from './modules/projects/service.ts'
import { realtime } from './modules/realtime/module.ts'
import { serveSockets } from './modules/realtime/service.ts'
import { reconciliation } from './modules/reconciliation/module.ts'
import { referral } from './modules/referral/module.ts'
import { findPromoter, promoterPageFacts } from './modules/referral/page/service.ts'
import { search } from './modules/search/module.ts'
import { sends } from './modules/sends/module.ts'
import { settings } from './modules/settings/module.ts'
import { allowedOrigins, factorPolicy, ownBackend, hostOrigins, setting, siteUrl } from './modules/settings/service.ts'
import { sharedViews } from './modules/shared-views/module.ts'
import { sweepContracts } from './modules/sweep-contracts/module.ts'
import { sweepPermissions } from './modules/sweep-permissions/module.ts'
import { sweeps } from './modules/sweeps/module.ts'
import { unlistedTransfers } from './modules/unlisted-transfers/module.ts'
import { movements } from './modules/movements/module.ts'
import { vaults } from './modules/vaults/module.ts'
import { addressProofKey, joinVaults } from './modules/vaults/service.ts'
import { wallets } from './modules/wallets/module.ts'
import { addressesOfCustomer } from './modules/wallets/service.ts'
import { readHeight } from './modules/watch/blocks/service.ts'
import { watch } from './modules/watch/module.ts'
import { webhooks } from './modules/webhooks/module.ts'
import { withdrawals } from './modules/withdrawals/module.ts'
import { sourcesOfPayout } from './modules/withdrawals/record/service.ts'
import { workers } from './modules/workers/module.ts'
import { isLate, superviseWorkers, workerStates } from './modules/workers/service.ts'
import { answerUnreadable, type CheckoutRenderers, mountCheckout } from './pages/payer/mount.ts'
import { mountDashboard } from './pages/dashboard.ts'
import { mountIcons } from './pages/icons.ts'
import { mountPromoterPage } from './pages/promoter.ts'
import { mountReference } from './pages/reference/mount.ts'
import { mountSigner } from './pages/signer.ts'
import { mountUploads } from './pages/uploads.ts'
import type { SandboxChains } from './sandbox/chains.ts'
import { waitsForBlocks } from './sandbox/awaited-blocks.ts'
import { mountExplorer } from './sandbox/explorer.ts'
import { sandboxHandlers } from './sandbox/handlers.ts'
import { payWithTestMoney } from './sandbox/paying/test-payment.ts'

/** Every module, in the order of scripts/checks/architecture-rules.ts. */
const MODULES: readonly Module[] = [
  alarms,
  vaults,
  settings,
  audit,
  mail,
  backups,
  blockchains,
  operators,
  projects,
  auth((ctx, asked) => describeAction(ctx, asked)),
  devices,
  apiKeys,
  customers(addressesOfCustomer),
  webhooks,
  prices,
  ledger({ currentPrices, sourcesOf }),
  wallets,
  analytics,
  bulkJobs(paymentsBulkActions),
  sharedViews,
  deposits,
  unlistedTransfers,
  movements,
  sends,
  withdrawals,
  sweepContracts,
  sweepPermissions,
  sweeps,
  payments,
  referral,
  watch,
  reconciliation(() => INVARIANTS),
  attention,
  search,
  realtime,
  workers,
]

/** Describes what an action will do, by the describer of its route's module. */
const describeAction = describeActions(() => MODULES.flatMap(({ routes }) => routes ?? []), projectFacts)

/** The invariants of all modules, each about its own rows. */
export const INVARIANTS: readonly Invariant[] = MODULES.flatMap(({ invariants }) => invariants ?? [])

/** The subscribers of events, which run in the event's transaction, in the order of the modules. */
export const SUBSCRIBERS: readonly Subscriber[] = MODULES.flatMap(({ subscribers }) => subscribers ?? [])

export const JOBS: readonly Job[] = [
  job({
    queue: 'database.analyze-grown',
    worker: 'account-processor',
    run: ({ db }) => analyzeGrown(db),
    everySeconds: 5,
  }),
  forgetAnswersJob,
  forgetBucketsJob,
  ...MODULES.flatMap(({ jobs }) => jobs ?? []),
]

/** The payer's pages as their own package renders them. */
const RENDERERS: CheckoutRenderers = {
  checkout: renderCheckout,
  receipt: renderReceipt,
  receiptMail,
  refund: renderRefund,
  addresses: answerAddresses,
  unknown: renderUnknown,
  fault: renderFault,
  hasReceipt,
  onlyOption,
  readChoice,
}

/** A start checks contracts only after this, so that watchers have opened their nodes. */
const CHECK_ASSETS_AFTER_MS = 20_000

export type AppOptions = {
  /** What the roles of the process may use. */
  readonly keys: Keys
  readonly log: Logger
  readonly now?: () => Date
  /** The local chains of the sandbox, in the process that runs them. */
  readonly chains?: SandboxChains | null
  /** Tests: errors that a route does not declare fail the test, and rate limits are wide. */
  readonly isTest?: boolean
}

export type App = {
  readonly ctx: Context
  readonly http: FastifyInstance
  /** Starts the background work of a role. */
  readonly start: (role: WorkingRole) => Promise<void>
  /** Whether a deposit on this blockchain, or a transaction of ours, waits for more blocks. */
  readonly waitsForBlocks: (code: string) => Promise<boolean>
  /** How far this blockchain was read; null while no process follows it. */
  readonly readHeight: (code: string) => Promise<number | null>
  /** Whether a blockchain is switched on. */
  readonly isSwitchedOn: (code: string) => Promise<boolean>
  /** Stores the address of a blockchain's local chain. */
  readonly setLocalNode: (code: string, url: string) => Promise<void>
  /** When this install requires a second factor. */
  readonly factorPolicy: () => Promise<FactorPolicy>
  /** Switches a blockchain off whose local chain cannot be started here, and says why. */
  readonly refuseLocalChain: (code: string, reason: string) => Promise<void>
  /** Whether this server has been set up already. */
  readonly hasAccount: () => Promise<boolean>
  /** Takes no more work, waits for what runs, and closes every connection. */
  readonly close: () => Promise<void>
}

/** Builds the program on a migrated database; it neither listens nor runs anything yet. */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const database = openDatabase(config.databaseUrl, { isDirect: config.databaseUrl === config.databaseDirectUrl })
  const egress = createEgress(config.network, {
    allowed: () => setting(ctx, 'security.egress_allow'),
    isStrict: options.isTest ?? false,
  })
  const queue = await openJobQueue(config.databaseDirectUrl, options.log, JOBS)
  const channel = await openLiveChannel(config.databaseDirectUrl, options.log)
  const publisher = createPublisher(database.db, options.log)
  const ctx: Context = {
    db: database.db,
    config,
    keys: options.keys,
    memory: new Map(),
    log: options.log,
    now: options.now ?? (() => new Date()),
    sleep: realSleep,
    jobs: queue.jobs,
    events: createEvents(SUBSCRIBERS, publisher.publish),
    live: channel,
    egress,
    connect,
    caller: { kind: 'anonymous' },
    change: () => undefined,
    requestId: newRequestId(),
  }
  await prepare(asSystem(ctx), options.chains ?? null)
  const inVaults = await joinVaults(ctx)
  const state = stateOf(ctx, database.isDiskFull)
  const http = await createServer(ctx, { origins: allowedOrigins, answerUnreadable: answerUnreadable(RENDERERS) })
  const limiter = createRateLimiter({ factor: options.isTest ? 1000 : 1 })
  mountRoutes(http, mountOptions(ctx, options, limiter), state, options.chains ?? null)
  await mountPages(http, ctx, { limiter, chains: options.chains ?? null })
  serveSockets(ctx, http)
  const supervisor = superviseWorkers(ctx)
  return {
    ctx,
    http,
    start: async (role) => {
      await supervisor.add(await startRole(ctx, queue, role))
      if (role === 'worker') await checkAssetsSoon(ctx)
    },
    waitsForBlocks: (code) => waitsForBlocks(asSystem(ctx), code),
    readHeight: (code) => readHeightOf(asSystem(ctx), code),
    isSwitchedOn: async (code) => (await findBlockchain(asSystem(ctx), code))?.status === 'active',
    setLocalNode: (code, url) => setSandboxNode(asSystem(ctx), code, url),
    factorPolicy: () => factorPolicy(asSystem(ctx)),
    refuseLocalChain: (code, reason) => refuseSandboxChain(asSystem(ctx), code, reason),
    hasAccount: () => rootExists(asSystem(ctx)),
    close: async () => {
      state.isDraining = true
      const parts = [() => http.close(), supervisor.stop, queue.stop, () => flushRefusals(ctx), inVaults.stop]
      for (const end of [...parts, publisher.idle, channel.close, egress.close, database.close]) await end()
    },
  }
}

function stateOf(ctx: Context, isDiskFull: ProcessState['isDiskFull']): ProcessState {
  return { isDraining: false, isDiskFull, workers: () => workerStates(asSystem(ctx)), isLate }
}

/** Starts the workers of a role: one group per worker that operators know, with the jobs it takes and the loops it runs. */
async function startRole(ctx: Context, queue: JobQueue, role: WorkingRole): Promise<WorkerGroup[]> {
  const loops = MODULES.flatMap((module) => module.loops ?? []).filter((loop) => loop.role === role)
  const named = WORKERS_OF_ROLE[role].map((worker) =>
    startWorkerGroup(worker, async (report) => {
      const jobs = role === 'worker' ? JOBS.filter((job) => job.worker === worker) : []
      const taking = jobs.length > 0 ? [await queue.work(ctx, jobs, report)] : []
      return [...taking, ...loops.filter((loop) => loop.worker === worker).map((loop) => loop.start(ctx, report))]
    }),
  )
  const others = MODULES.flatMap((module) => module.workers ?? []).filter((one) => one.role === role)
  return [...others.map(({ start }) => start(ctx)), ...(await Promise.all(named))]
}

async function checkAssetsSoon(ctx: Context): Promise<void> {
  const startAfter = new Date(ctx.now().getTime() + CHECK_ASSETS_AFTER_MS)
  await checkAssetsJob.send(ctx, {}, { singletonKey: 'start', startAfter })
}

/** The work of every start; harmless to repeat. */
async function prepare(ctx: Context, chains: SandboxChains | null): Promise<void> {
  for (const module of MODULES) await module.prepare?.(ctx)
  for (const [code, url] of Object.entries(chains?.nodes ?? {})) await setSandboxNode(ctx, code, url)
}

const LOOKUPS = { findSession, endedByPassword, findApiKey, findDevice, noteApiKeyUse, findPromoter }

function mountOptions(ctx: Context, { isTest = false }: AppOptions, limiter: RateLimiter): MountOptions {
  return {
    ctx,
    lookups: LOOKUPS,
    findProject: projectFacts,
    spendToken,
    limiter,
    audit: auditHook,
    origins: hostOrigins,
    isStrict: isTest,
  }
}

function mountRoutes(
  http: FastifyInstance,
  options: MountOptions,
  state: ProcessState,
  chains: SandboxChains | null,
): void {
  mount(http, options, serve(systemRoutes, systemHandlers(state)))
  for (const { routes = [] } of MODULES) for (const mounted of routes) mount(http, options, mounted)
  mount(http, options, serve(sandboxRoutes, sandboxHandlers(chains)))
}

const NO_CREDENTIALS = { authorization: undefined, apiKey: undefined, ip: '' }

type PageParts = { readonly limiter: RateLimiter; readonly chains: SandboxChains | null }

async function mountPages(http: FastifyInstance, ctx: Context, { limiter, chains }: PageParts): Promise<void> {
  mountMetrics(http, ctx)
  mountReference(http)
  mountUploads(http, ctx, findUpload)
  mountIcons(http, ctx)
  mountSigner(http, ctx)
  if (ctx.config.network === 'sandbox') mountExplorer(http, ctx)
  await mountCheckout(http, ctx, RENDERERS, {
    load: checkoutFacts,
    choose: async (callCtx, reference, { blockchain_code: blockchainCode, currency_code: currencyCode }) => {
      await pinPayment(callCtx, reference, { blockchainCode, currencyCode })
    },
    diagnose: async (callCtx, reference, { withoutHash, ...question }) =>
      diagnosePayment(callCtx, await getByReference(callCtx, reference), { ...question, ...withoutHash }),
    claim: async (callCtx, reference, typed) => claimRefund(callCtx, await getByReference(callCtx, reference), typed),
    mailReceipt: requestReceipt,
    payWithTestMoney: async (callCtx, reference) => void (await payWithTestMoney(callCtx, chains, reference)),
    siteUrl,
    proofKey: async (callCtx) => (await addressProofKey(asSystem(callCtx))).publicKey,
    limit: (callCtx, rate, ip, reference) => limiter(callCtx, rate, rateSubject(null, ip), reference),
  })
  await mountPromoterPage(
    http,
    ctx,
    { promoter: renderPromoter, expired: renderExpired, fault: renderFault },
    {
      load: async (callCtx, referralToken) => {
        const { caller } = await authenticate(callCtx, LOOKUPS, { ...NO_CREDENTIALS, referralToken })
        return caller && promoterPageFacts({ ...callCtx, caller })
      },
      siteUrl,
      limit: (callCtx, rate, ip) => limiter(callCtx, rate, rateSubject(null, ip)),
    },
  )
  await mountDashboard(http, ctx, { backend: ownBackend })
}

/** How the sources of the entries of a payment or of a payout start, which the ledger does not know; no entry is of both. */
async function sourcesOf(ctx: Context, query: EntriesQuery): Promise<readonly string[] | undefined> {
  const { referenceID, withdrawalID } = query
  if (referenceID && withdrawalID) return []
  if (withdrawalID) return /^\d{1,18}$/.test(withdrawalID) ? sourcesOfPayout({ id: BigInt(withdrawalID) }) : []
  return referenceID ? sourcesOfPayment(ctx, referenceID) : undefined
}

async function readHeightOf(ctx: Context, code: string): Promise<number | null> {
  const id = findDefinition(code)?.id
  return id === undefined ? null : readHeight(ctx, id)
}

async function projectFacts(ctx: Context, id: number): Promise<ProjectFacts | null> {
  const project = await findProject(ctx, id)
  return project && { id, name: project.name, isArchived: project.status === 'archived' }
}
