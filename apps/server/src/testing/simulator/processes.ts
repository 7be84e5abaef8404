import { asSystem, type Context } from '../../context.ts'
import type { Job } from '../../jobs/jobs.ts'
import { adapterOf, findBlockchain } from '../../modules/blockchains/chains/service.ts'
import { payments } from '../../modules/payments/module.ts'
import { followChain } from '../../modules/watch/follow/follow-chain.ts'
import { countPending } from '../../modules/referral/counting/service.ts'
import { archiveEndedJob, wakeForgottenJob } from '../../modules/referral/jobs.ts'
import { abandonSweepsJob, followDevicesJob, followOwnWalletsJob, sweepDueJob } from '../../modules/sweeps/jobs.ts'
import { watch as watchModule } from '../../modules/watch/module.ts'
import { knownAddresses } from '../../modules/watch/matching/known-addresses.ts'
import { listHalted } from '../../modules/watch/blocks/cursor-store.ts'
import { createDispatcher } from '../../modules/webhooks/sending/dispatcher.ts'
import { webhooks } from '../../modules/webhooks/module.ts'
import { desk } from './money-out/desk.ts'
import { device } from './money-out/devices.ts'
import { gatherer } from './money-out/homeward.ts'
import { sender } from './money-out/sender.ts'
import { caretaker, deposit, fund } from './money-out/treasury.ts'
import { operator } from './operator.ts'
import { merchant } from './merchant.ts'
import type { Process } from './scheduler.ts'
import { contextOf, isAlone, type Phase, type SimulatedChain, wait, type World } from './world.ts'

/** The background work that moves money or notifies of it. */
const JOBS: readonly Job[] = [payments, watchModule, webhooks].flatMap(({ jobs }) => jobs ?? [])

/** The same where shops also pay out, bring deposits home, and reward who brings customers. */
const PAYING_JOBS: readonly Job[] = [
  ...[...JOBS, wakeForgottenJob, archiveEndedJob],
  ...[sweepDueJob, followOwnWalletsJob, abandonSweepsJob],
]

type Kind = { readonly isPaying: boolean; readonly codes: readonly string[] }

/** The background work of a world. */
export function jobsIn({ isPaying, codes }: Kind): readonly Job[] {
  if (!isPaying) return JOBS
  return codes.includes('BTC') ? [...PAYING_JOBS, followDevicesJob] : PAYING_JOBS
}

/** Watchers of each chain that try to lead it. */
const WATCHERS_EACH = 2
const WORKERS = 2
const SENDERS = 2
/** People who sign the same batches. */
const DEVICES = 2
/** Scheduled work is rare while there is trouble, so that a run does not consist of empty polls. */
const BETWEEN_JOBS_MS: Readonly<Record<Phase, readonly [number, number]>> = {
  trouble: [20_000, 400_000],
  calm: [2_000, 60_000],
  days: [600_000, 1_800_000],
}
/** Sweeps start, and go on, more often, because the trouble would be over before any of them. */
const BETWEEN_SWEEPS_MS = [5_000, 60_000] as const
const HURRIED: ReadonlySet<string> = new Set([sweepDueJob.queue, followDevicesJob.queue])
/** How long a process that was killed stays down. */
const AWAY_MS = [1_000, 60_000] as const

/** Starts every process of the program; a process that dies is started again. */
export function startProgram(world: World): void {
  keepAlive(world, 'api', (process) => merchant(world, process))
  keepAlive(world, 'operator', (process) => operator(world, process))
  for (let n = 1; n <= WORKERS; n += 1) keepAlive(world, `worker-${n}`, (process) => work(world, process))
  if (world.treasury) startPaying(world)
  for (const chain of world.chains) {
    for (let n = 1; n <= WATCHERS_EACH; n += 1) {
      keepAlive(world, `${chain.code}-watcher-${n}`, (process) => watch(world, chain, process))
    }
  }
}

/**
 * Two processes of the role sender, the people who decide about payouts and sweeps, and one who fills the wallets; where no wallet
 * is the server's, two who sign with phones.
 */
function startPaying(world: World): void {
  fund(world)
  deposit(world)
  const isHot = world.treasury?.wallets.length !== 0
  if (isHot) keepAlive(world, 'desk', (process) => desk(world, process))
  keepAlive(world, 'gatherer', (process) => gatherer(world, process))
  keepAlive(world, 'caretaker', (process) => caretaker(world, process))
  for (let n = 1; !isHot && n <= DEVICES; n += 1) keepAlive(world, `device-${n}`, (process) => device(world, process))
  for (let n = 1; isHot && n <= SENDERS; n += 1) keepAlive(world, `sender-${n}`, (process) => sender(world, process))
}

function keepAlive(world: World, name: string, main: (process: Process) => Promise<void>): void {
  const { scheduler } = world
  let lastDied: Process | undefined
  const begin = () => {
    const process = scheduler.start(
      name,
      async (self) => {
        if (lastDied?.isDead) await scheduler.sleep(world.random.between(...AWAY_MS))
        lastDied = self
        world.running.add(self)
        await main(self)
      },
      () => {
        world.running.delete(process)
        world.queue.abandon(process)
        for (const [chainId, holder] of world.holdsLease) if (holder === process) world.holdsLease.delete(chainId)
        if (!world.isOver) begin()
      },
    )
  }
  begin()
}

/** A worker runs the jobs of its queues and of the clock. */
async function work(world: World, process: Process): Promise<void> {
  const ctx = asSystem(contextOf(world, process))
  const deliveries = createDispatcher(ctx)
  const repeat = async (name: string, everyMs: number, run: () => Promise<unknown>) => {
    while (!process.isDead) {
      const { phase } = world
      const isHurried = HURRIED.has(name) && phase === 'trouble'
      const pauseMs = isHurried
        ? wait(world, BETWEEN_SWEEPS_MS)
        : Math.max(everyMs, wait(world, BETWEEN_JOBS_MS[phase]))
      await world.scheduler.sleep(pauseMs, process.signal)
      // A process that is woken because the trouble is over returns to its usual interval first.
      if (world.phase === phase) await run().catch(() => world.scheduler.note(`${process.name} ${name} failed`))
    }
  }
  await Promise.all([
    world.queue.work(ctx, process),
    world.queue.work(ctx, process),
    ...jobsIn({ isPaying: world.treasury !== null, codes: world.chains.map(({ code }) => code) }).flatMap(
      ({ queue, run, everySeconds }) =>
        everySeconds === undefined ? [] : [repeat(queue, everySeconds * 1000, () => run(ctx, {} as never))],
    ),
    repeat('deliveries', 1_000, async () => {
      await deliveries.sweep()
      await deliveries.idle()
    }),
    ...(world.treasury === null ? [] : [repeat('referral', 1_000, () => countPending(ctx))]),
  ])
}

/** How long a watcher waits between polls of a chain that is alone: money is final early, and what follows has time. */
const POLL_ALONE_MS = [500, 6_000] as const

function watcherOf(world: World, process: Process): Context {
  const ctx = asSystem(contextOf(world, process))
  if (!isAlone(world)) return ctx
  const sleep: Context['sleep'] = (ms, signal) =>
    world.phase === 'trouble'
      ? world.scheduler.sleep(Math.max(ms, wait(world, POLL_ALONE_MS)), signal)
      : ctx.sleep(ms, signal)
  return { ...ctx, sleep }
}

/**
 * A watcher tries to lead its chain, as `followUntilStopped` does; the lease is the world's, not a lock of PostgreSQL.
 */
async function watch(world: World, { id, code, family }: SimulatedChain, process: Process): Promise<void> {
  const ctx = watcherOf(world, process)
  const known = knownAddresses(family.name)
  while (!process.isDead) {
    await lead().catch(() => world.scheduler.note(`${process.name} stopped leading`))
    await ctx.sleep(2_000, process.signal)
  }

  async function lead(): Promise<void> {
    if (world.holdsLease.has(id)) return
    world.holdsLease.set(id, process)
    try {
      const row = await findBlockchain(ctx, code)
      const adapter = row && adapterOf(row.definition.family)
      if (!row || !adapter || (await listHalted(ctx)).includes(id)) return
      await followChain(ctx, { row, adapter, known }, AbortSignal.any([process.signal, lostLease()]))
    } finally {
      if (world.holdsLease.get(id) === process) world.holdsLease.delete(id)
    }
  }

  /** Detects the loss of the lease when it checks, which may be long after another process took it. */
  function lostLease(): AbortSignal {
    const lost = new AbortController()
    world.leases.set(process, lost)
    return lost.signal
  }
}
