/**
 * The deterministic simulator (money.md 8.1): the program's own code, in one thread, with every call through its
 * context ordered by a seed, and with every fault that can be simulated. The properties are checked after every step.
 */
import { SANDBOX_PRICES } from '../../modules/prices/sandbox-prices.ts'
import { createChains } from './chains.ts'
import { drawChaos } from './chaos.ts'
import { type Counts, countsOf } from './counts.ts'
import { checkFinality, longestGone, whatIsSaidToWait } from './families/checks.ts'
import { codesOf, type SimulatedCode } from './families/families.ts'
import { createQueue } from './queue.ts'
import { createReceiver } from './receiver.ts'
import type { MemoryDatabase } from './database.ts'
import { miner } from './miner.ts'
import { nodeNetwork } from './nodes.ts'
import { assetsOn, payer } from './payer.ts'
import { jobsIn, startProgram } from './processes.ts'
import { Broken } from './broken.ts'
import { checkPaidOnce, checkSwept, longestLife, longestPermission, whatIsUnpaid } from './money-out/checks.ts'
import { checkRewards, whatIsUncounted } from './money-out/programme.ts'
import { switchOff } from './money-out/homeward.ts'
import { fund, restoreTreasury } from './money-out/treasury.ts'
import {
  checkHalted,
  checkInvariants,
  checkOrder,
  checkPayments,
  checkQuotes,
  checkDelivered,
  checkTransfers,
  cursorGuard,
} from './properties.ts'
import { seededRandom } from './random.ts'
import { createScheduler, Deadlock, type Process } from './scheduler.ts'
import { createSessions } from './sessions.ts'
import { WORLD_BEGINS } from './template.ts'
import { heal, pause, trouble } from './trouble.ts'
import type { World } from './world.ts'

export type Failure = { readonly property: string; readonly detail: string; readonly step: number }

export type Outcome = {
  readonly seed: number
  readonly steps: number
  /** The same seed produces the same trace. */
  readonly hash: string
  readonly tail: readonly string[]
  readonly failure: Failure | null
  /** Counts of what happened, so that a run that did nothing is detected. */
  readonly counts: Counts
}

export type SimulateOptions = {
  readonly database: MemoryDatabase
  /** Steps with trouble; after them the run must finish its work. */
  readonly steps?: number
  /** Whether the shops of the world also pay out. */
  readonly isPaying?: boolean
  /** The blockchains of the world; those that its seed gives it when absent. */
  readonly codes?: readonly SimulatedCode[]
  /** Changes statements before they are sent, to break a rule of the program on purpose. */
  readonly rewrite?: (text: string) => string
}

/** Steps of trouble for each chain of a run; more where families differ, whose nodes are asked block by block. */
const STEPS_EACH = 300
const FAMILY_STEPS_EACH = 450
/** Steps where more processes share them. */
const PAYING_STEPS = 2500
/** Awaits of senders in one run, about: seeds with numbers of the same parity kill at each of them in turn. */
const SENDER_AWAITS = 800
/** After the trouble all work must be finished within five minutes (money.md 8.1). */
const CALM_MS = 5 * 60_000
/**
 * The clock goes on by so much at once where something that was signed may only lapse, which takes minutes or hours: longer than
 * anybody waits between two polls, because everybody polls between two leaps.
 */
const LEAP_MS = 60_000
/** A block proves that something has lapsed once 20 others follow it. */
const PROVEN_MS = 20 * 10_000
/** What deposit addresses signed lapses after half a day: few leaps are enough, since every process polls between two of them. */
const LONG_LEAP_MS = 60 * 60_000
const STEPS_BETWEEN_LOOKS = 25
const MOST_STEPS_BETWEEN_LEAPS = 100
/**
 * The last attempt of a delivery is 75 h 35 min after the first (api.md 6.4), and a receiver may ask for a delay of a
 * day.
 */
const DAYS_MS = 110 * 3_600_000
/** Steps after which a run that should end counts as endless. */
const MOST_STEPS = 40_000
/** How often the ledger is checked, besides the end: a check takes as long as dozens of steps. */
const CHECK_EVERY = 200
const PAYING_CHECK_EVERY = 500
/** Steps between two looks at what is still to be delivered. */
const LOOK_EVERY = 10

/** Runs one seed from beginning to end and returns its outcome. */
export async function simulate(
  seed: number,
  {
    database,
    isPaying = false,
    codes = codesOf(seed, { isPaying }),
    steps = stepsOf(codes, isPaying),
    rewrite = (text) => text,
  }: SimulateOptions,
): Promise<Outcome> {
  const world = await createWorld(seed, { database, isPaying, codes, rewrite })
  const restore = ownClockAndChance(world)
  let failure: Failure | null = null
  try {
    await live(world, steps)
  } catch (error) {
    failure = failureOf(error, world.scheduler.steps())
  } finally {
    world.isOver = true
    await world.scheduler.killAll()
    await releaseConnection(world)
    restore()
  }
  return { seed, steps: world.scheduler.steps(), ...world.scheduler.trace(), failure, counts: await countsOf(world) }
}

function stepsOf(codes: readonly SimulatedCode[], isPaying: boolean): number {
  if (isPaying) return PAYING_STEPS
  return codes.length * (codes.includes('BASE') ? STEPS_EACH : FAMILY_STEPS_EACH)
}

/** Jitter of retries and measured times are part of the schedule: they come from the world while it lasts. */
function ownClockAndChance({ random, scheduler }: World): () => void {
  const chance = Math.random
  const measure = performance.now
  Math.random = random.next
  performance.now = scheduler.now
  return () => {
    Math.random = chance
    performance.now = measure
  }
}

async function live(world: World, steps: number): Promise<void> {
  startProgram(world)
  world.scheduler.start('payer', (process) => payer(world, process))
  world.scheduler.start('trouble', (process) => trouble(world, process))
  for (const chain of world.chains)
    world.scheduler.start(`${chain.code}-miner`, (process) => miner(world, chain, process))
  while (world.scheduler.steps() < steps) await step(world)
  await calm(world)
  await days(world)
  await checkEnd(world)
}

async function step(world: World): Promise<void> {
  const { scheduler, random, chaos, running } = world
  let paused: Process | undefined
  const isAlive = await scheduler.step((process) => {
    if (world.phase !== 'trouble' || !running.has(process)) return 'go'
    if (random.chance(chaos.kill) || isSendersTurn(world, process)) return 'kill'
    if (random.chance(chaos.pause)) paused = process
    return 'go'
  })
  if (paused && !paused.isDead) await pause(world, paused)
  if (!isAlive) throw new Broken('no livelock', 'no process has anything to do')
  if (world.complaint) throw world.complaint
  const holder = world.sessions.holder()
  if (holder?.isDead) await world.sessions.sever(holder)
  const isDue = scheduler.steps() % (world.treasury ? PAYING_CHECK_EVERY : CHECK_EVERY) === 0
  if (isDue && !world.sessions.holder()) {
    await checkInvariants(world)
    await checkFinality(world)
  }
  if (scheduler.steps() > MOST_STEPS) throw new Broken('no livelock', 'the run does not end')
}

/** Whether a sender dies here besides what chance kills: at every await in turn, from one seed to the next that pays. */
function isSendersTurn({ seed, treasury }: World, { name }: Process): boolean {
  if (!treasury || !name.startsWith('sender')) return false
  treasury.awaits += 1
  return treasury.awaits === (Math.floor(seed / 2) % SENDER_AWAITS) + 1
}

/** Ends the trouble: whatever only waits for a retry is then done soon. */
async function calm(world: World): Promise<void> {
  const { scheduler, running, chains } = world
  world.phase = 'calm'
  scheduler.note('the trouble is over')
  fund(world)
  for (const process of running) Object.assign(process, { pausedUntil: 0, skewMs: 0 })
  for (const node of chains.flatMap(({ nodes }) => nodes)) heal(node)
  await startNoMoreSweeps(world)
  scheduler.wakeAll()
  const lifeMs = longestLife(world)
  const provenMs = lifeMs > 0 ? PROVEN_MS : 0
  let until = scheduler.now() + CALM_MS + longestGone(world) + lifeMs + provenMs
  let leaps = lifeMs / LEAP_MS
  // What a block takes is mined before that.
  const longLeapsFrom = scheduler.now() + CALM_MS / 2
  let longLeaps = longestPermission(world) / LONG_LEAP_MS
  while (!(await isDone(world))) {
    if (scheduler.now() > until) throw new Broken('no livelock', await whatWaits(world))
    // Nothing happens until its time is over: polls that find nothing are left out.
    if (world.treasury?.isLapsing && leaps-- > 0) scheduler.pass(LEAP_MS)
    if (world.treasury?.isPermissionLapsing && scheduler.now() > longLeapsFrom && longLeaps-- > 0) {
      scheduler.pass(LONG_LEAP_MS)
      until += LONG_LEAP_MS
    }
    for (let n = 0; n < STEPS_BETWEEN_LOOKS; n += 1) await step(world)
    // Everybody whose time came has a turn before the clock leaps again: one question to a node would take minutes otherwise.
    for (let n = 0; n < MOST_STEPS_BETWEEN_LEAPS && scheduler.isBusy(); n += 1) await step(world)
  }
}

/** Nobody sweeps any more: whoever was about to is gone, and what is under way comes to its end. */
async function startNoMoreSweeps(world: World): Promise<void> {
  if (!world.treasury) return
  for (const process of world.running) if (/^(?:gatherer|worker)/.test(process.name)) process.kill()
  while (world.sessions.holder()) await step(world)
  await switchOff(world)
}

async function isDone(world: World): Promise<boolean> {
  // What a transaction has not committed is not looked at, and one that failed answers nothing.
  while (world.sessions.holder()) await step(world)
  return (await whatWaits(world)) === ''
}

/** Returns the work that is still under way, or nothing. */
async function whatWaits(world: World): Promise<string> {
  const { database, chains, cursors, scheduler } = world
  const { rows: halted } = await database.query(`SELECT blockchain_id FROM chain_cursors WHERE state = 'halted'`)
  const stopped = new Set(halted.map((row) => row['blockchain_id']))
  const open = chains.filter(({ id }) => !stopped.has(id))
  const unpaid = await whatIsUnpaid(
    world,
    open.map(({ id }) => id),
  )
  if (unpaid !== '') return unpaid
  const uncounted = await whatIsUncounted(world)
  if (uncounted !== '') return uncounted
  for (const { id, code, chain, mempool } of open) {
    if (mempool.length > 0) return `${code} has transactions to mine`
    if (cursors.get(id)?.hash !== chain.head().hash) return `${code} is not read to its end`
  }
  const waiting = await whatIsSaidToWait(
    world,
    open.map(({ id }) => id),
  )
  if (waiting !== '') return waiting
  const { rows } = await database.query(
    `SELECT (SELECT count(*)::int FROM deposits WHERE status = 'seen' AND blockchain_id = ANY ($1)) AS placing,
       (SELECT count(*)::int FROM payments WHERE expires_at <= $2
         AND (status = 'OPEN' AND seen_units = 0 OR status = 'PARTIALLY_FILLED' AND cancel_reason IS NULL)) AS expiring`,
    [open.map(({ id }) => id), new Date(scheduler.now())],
  )
  if (rows[0]?.['placing'] !== 0) return `${String(rows[0]?.['placing'])} deposits are not finalized`
  return rows[0]['expiring'] === 0 ? '' : `${String(rows[0]['expiring'])} payments are past their expiry`
}

/** Lets the days pass in which a delivery is tried again. */
async function days(world: World): Promise<void> {
  world.phase = 'days'
  const until = world.scheduler.now() + DAYS_MS
  while (world.scheduler.now() < until) {
    if (!world.sessions.holder() && !(await isTelling(world))) return
    for (let n = 0; n < LOOK_EVERY; n += 1) await step(world)
  }
}

async function isTelling({ database }: World): Promise<boolean> {
  return (await database.query(`SELECT FROM deliveries WHERE status = 'pending' LIMIT 1`)).rows.length > 0
}

async function checkEnd(world: World): Promise<void> {
  await checkInvariants(world)
  await checkFinality(world)
  await checkHalted(world)
  await checkTransfers(world)
  await checkPaidOnce(world)
  await checkSwept(world)
  await checkRewards(world)
  await checkPayments(world)
  await checkQuotes(world)
  await checkDelivered(world)
}

/** Ends a transaction that is still open, so that one run does not affect the next. */
async function releaseConnection({ sessions }: World): Promise<void> {
  const holder = sessions.holder()
  if (holder) await sessions.sever(holder)
}

function failureOf(error: unknown, step: number): Failure {
  if (error instanceof Broken) return { property: error.property, detail: error.message, step }
  if (error instanceof Deadlock) return { property: 'no deadlock', detail: error.message, step }
  return {
    property: 'no surprise',
    detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    step,
  }
}

const MOVES_CURSOR = /^(?:update|insert into) "chain_cursors"/

let worlds = 0

type NewWorld = {
  readonly database: MemoryDatabase
  readonly isPaying: boolean
  readonly codes: readonly SimulatedCode[]
  readonly rewrite: (text: string) => string
}

async function createWorld(seed: number, { database, isPaying, codes, rewrite }: NewWorld): Promise<World> {
  worlds += 1
  const random = seededRandom(seed)
  const drawn = drawChaos(random)
  // Where something is paid out, depth decides: a sender wants prices, which only the sandbox has here.
  const chaos = isPaying ? { ...drawn, hasFinality: false } : drawn
  const scheduler = createScheduler(random, WORLD_BEGINS)
  const network = chaos.hasFinality ? 'testnet' : 'sandbox'
  const chains = createChains({ codes, network, random, worldId: worlds })
  const treasury = isPaying ? await restoreTreasury(database, chains) : null
  if (!treasury) await database.reset(network)
  const isOn = () => world.phase === 'trouble'
  const sessions = createSessions({
    scheduler,
    random,
    database,
    faults: () => (isOn() ? chaos.database : null),
    rewrite,
    committed: async (statements) => {
      if (statements.some((text) => MOVES_CURSOR.test(text))) await notice(world, guard)
    },
  })
  const nodes = chains.flatMap((chain) => chain.nodes)
  const transport = nodeNetwork({ scheduler, random, nodes, flaw: () => (isOn() ? chaos.flawedCalls : 0) })
  const receiver = createReceiver({
    scheduler,
    random,
    flaw: () => (isOn() ? chaos.flawedDeliveries : 0),
    arrived: async ({ eventId }) => notice(world, () => checkOrder(world, eventId)),
    network: transport,
  })
  const world: World = {
    seed,
    random,
    scheduler,
    database,
    sessions,
    queue: createQueue(scheduler, sessions, jobsIn({ isPaying, codes })),
    receiver,
    network: transport,
    chains,
    assets: assetsOn(network, chains),
    chaos,
    treasury,
    phase: 'trouble',
    references: [],
    bills: [],
    running: new Set(),
    goodPrices: new Map(Object.entries(SANDBOX_PRICES).map(([code, price]) => [code, new Set([price])])),
    holdsLease: new Map(),
    leases: new Map(),
    cursors: new Map(),
    isOver: false,
    complaint: null,
  }
  const guard = cursorGuard(world)
  await writeNodes(world)
  return world
}

/** A property that fails inside a call of the program ends the run, not only that call. */
async function notice(world: World, check: () => Promise<void>): Promise<void> {
  await check().catch((error: unknown) => {
    world.complaint ??= error instanceof Error ? error : new Error(String(error))
  })
}

async function writeNodes({ database, chains }: World): Promise<void> {
  for (const [at, { id, nodes }] of chains.entries()) {
    for (const [of, { url }] of nodes.entries()) {
      await database.query(
        `INSERT INTO rpc_nodes (id, blockchain_id, url, priority, is_preferred) OVERRIDING SYSTEM VALUE
         VALUES ($1, $2, $3, $4, $5)`,
        [worlds * 10 + at * 5 + of, id, url, of, of === 0],
      )
    }
  }
}
