import type { FakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import type { FakeTransaction } from '@kassa/chains/testing/fake-chain/transactions.ts'
import { connect } from '@kassa/chains/node/client.ts'
import type { Fetch } from '@kassa/chains/node/transport.ts'
import { pino } from 'pino'

import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { createEvents } from '../../events/outbox.ts'
import { queueDeliveries } from '../../modules/webhooks/deliveries/service.ts'
import { testConfig } from '../config.ts'
import type { Chaos } from './chaos.ts'
import type { MemoryDatabase } from './database.ts'
import type { SimulatedNode } from './nodes.ts'
import type { SimulatedQueue } from './queue.ts'
import type { Random } from './random.ts'
import type { SimulatedReceiver } from './receiver.ts'
import type { Process, Scheduler } from './scheduler.ts'
import type { Sessions } from './sessions.ts'

/** One blockchain of the world, with what waits to be mined. */
export type SimulatedChain = {
  readonly id: number
  readonly code: 'ETH' | 'BASE'
  readonly chain: FakeChain
  readonly nodes: readonly SimulatedNode[]
  mempool: readonly FakeTransaction[]
  /** A reorganisation went deeper than any program may follow, surely or perhaps below where it stood. */
  broken: 'surely' | 'perhaps' | null
  /** Reading was halted when the run ended. */
  isHalted: boolean
}

/** Where reading of a chain stands. */
export type Cursor = {
  readonly height: number
  readonly hash: string
  readonly epoch: bigint
  readonly finalized: number
}

/** A request for money as the payer sees it. */
export type Bill = {
  readonly reference: string
  readonly to: string
  readonly chainId: number
  readonly assetId: number
  readonly dueUnits: bigint
}

/** What the run is in: trouble, then calm in which everything must settle, then days in which what waits is told. */
export type Phase = 'trouble' | 'calm' | 'days'

export type World = {
  readonly seed: number
  readonly random: Random
  readonly scheduler: Scheduler
  readonly database: MemoryDatabase
  readonly sessions: Sessions
  readonly queue: SimulatedQueue
  readonly receiver: SimulatedReceiver
  readonly network: Fetch
  readonly chains: readonly SimulatedChain[]
  readonly chaos: Chaos
  phase: Phase
  /** Payments the merchant knows of, and what payers were asked for. */
  readonly references: string[]
  readonly bills: Bill[]
  /** Processes of the program that run now. */
  readonly running: Set<Process>
  /** Prices a source has said that can be believed, by currency; a quote may name no other. */
  readonly goodPrices: Map<string, Set<string>>
  /** Who holds the right to lead a chain, and how each learns that it does not any more. */
  readonly holdsLease: Map<number, Process>
  readonly leases: Map<Process, AbortController>
  /** As last committed, by chain. */
  readonly cursors: Map<number, Cursor>
  /** Nothing is started again. */
  isOver: boolean
  /** A property that failed inside a call. */
  complaint: Error | null
}

/** Opens what webhook secrets were sealed with; the same in every run, because the database keeps them. */
const MASTER_KEY = Buffer.alloc(32, 7)

/** The context of everything but time, the database and the network. */
export function plainContext(db: Db): Omit<Context, 'now' | 'sleep' | 'jobs' | 'egress' | 'connect'> {
  return {
    db,
    config: testConfig('postgres://simulated', { masterKey: MASTER_KEY }),
    log: pino({ level: 'silent' }),
    events: createEvents([{ runAll: queueDeliveries }]),
    caller: { kind: 'system' },
    requestId: 'simulated',
  }
}

/** How long loops that only look around wait at least, by phase: a simulated hour must not be made of idle turns. */
const SHORTEST_SLEEP_MS: Readonly<Record<Phase, readonly [number, number]>> = {
  trouble: [1_000, 40_000],
  calm: [1_000, 10_000],
  days: [600_000, 1_800_000],
}

/** How long somebody waits: runs differ in how much happens while nobody looks. */
export function wait({ random, phase, chaos }: World, [least, most]: readonly [number, number]): number {
  return random.between(least, most) * (phase === 'trouble' ? chaos.pace : 1)
}

/** Longer than any run: who only acts while there is trouble is not woken for nothing afterwards. */
const FOR_GOOD_MS = 10 * 365 * 86_400_000

/** How long somebody waits who does nothing once the trouble is over. */
export function waitInTrouble(world: World, range: readonly [number, number]): number {
  return world.phase === 'trouble' ? wait(world, range) : FOR_GOOD_MS
}

/** Everything a process of the program reaches, through the world. */
export function contextOf(world: World, process: Process, sees: 'chains' | 'prices' = 'chains'): Context {
  const { scheduler, network } = world
  const plain = plainContext(world.sessions.open(process))
  return {
    ...plain,
    // Prices are the sandbox's in any case: those of public networks are proven elsewhere.
    ...(sees === 'chains' && world.chaos.hasFinality && { config: { ...plain.config, network: 'testnet' } }),
    now: () => new Date(scheduler.now() + process.skewMs),
    sleep: (ms, signal) => scheduler.sleep(Math.max(ms, wait(world, SHORTEST_SLEEP_MS[world.phase])), signal),
    jobs: { send: world.queue.send },
    egress: world.receiver.egress,
    connect: (node) => connect({ ...node, fetch: network }),
  }
}
