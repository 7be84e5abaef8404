/**
 * The deterministic simulator (money.md 8.1): the program's own code, in one thread, with every call through its
 * context ordered by a seed, and with every fault that can be simulated. The properties are checked after every step.
 */
import { SANDBOX_PRICES } from '../../modules/prices/sandbox-prices.ts'
import { calm } from './calm.ts'
import { createChains } from './chains.ts'
import { drawChaos } from './chaos.ts'
import { type Counts, countsOf } from './counts.ts'
import { checkFinality } from './families/checks.ts'
import { codesOf, type SimulatedCode } from './families/families.ts'
import { createQueue } from './queue.ts'
import { createReceiver } from './receiver.ts'
import type { MemoryDatabase } from './database.ts'
import { miner } from './miner.ts'
import { nodeNetwork } from './nodes.ts'
import { assetsOn, payer } from './payer.ts'
import { jobsIn, startProgram } from './processes.ts'
import { Broken } from './broken.ts'
import { checkPaidOnce, checkSwept } from './money-out/checks.ts'
import { checkRewards } from './money-out/programme.ts'
import { restoreTreasury } from './money-out/treasury.ts'
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
import { createScheduler, Deadlock } from './scheduler.ts'
import { createSessions } from './sessions.ts'
import { step } from './step.ts'
import { WORLD_BEGINS } from './template.ts'
import { trouble } from './trouble.ts'
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
/**
 * The last attempt of a delivery is 75 h 35 min after the first (api.md 6.4), and a receiver may ask for a delay of a
 * day.
 */
const DAYS_MS = 110 * 3_600_000
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
    arrived: async ({ eventId }) => {
      if (sessions.isReadable()) await notice(world, () => checkOrder(world, eventId))
    },
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
