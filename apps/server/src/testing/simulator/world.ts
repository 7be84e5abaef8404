import type { FakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import type { FakeTransaction } from '@kassa/chains/testing/fake-chain/transactions.ts'
import type { ChainFamily } from '@kassa/primitives/chains/families.ts'
import { connect } from '@kassa/chains/node/client.ts'
import type { Fetch } from '@kassa/chains/node/transport.ts'
import { pino } from 'pino'

import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { SUBSCRIBERS } from '../../app.ts'
import { createEvents, type Subscriber } from '../../events/outbox.ts'
import { queueDeliveries } from '../../modules/webhooks/deliveries/service.ts'
import { testConfig, testKeys } from '../config.ts'
import { SILENT } from '../context.ts'
import type { Chaos } from './chaos.ts'
import type { MemoryDatabase } from './database.ts'
import type { SimulatedCode } from './families/families.ts'
import type { Family, SimulatedNode } from './families/family.ts'
import type { SignedPool } from './money-out/pools/signed-pool.ts'
import type { SimulatedQueue } from './queue.ts'
import type { Random } from './random.ts'
import type { SimulatedReceiver } from './receiver.ts'
import type { Process, Scheduler } from './scheduler.ts'
import type { Sessions } from './sessions.ts'

/** One blockchain of the world, with the transactions that wait to be mined. */
export type SimulatedChain = {
  readonly id: number
  readonly code: SimulatedCode
  readonly family: Family
  readonly chain: FakeChain
  readonly nodes: readonly SimulatedNode[]
  mempool: readonly FakeTransaction[]
  /** What accounts of the program signed and no block holds. */
  readonly signed: SignedPool
  /** Whether a reorganisation went deeper than any program may follow, surely or perhaps below the cursor. */
  broken: 'surely' | 'perhaps' | null
  /** Whether reading was halted when the run ended. */
  isHalted: boolean
}

/** What can be sent on a chain: the contract of a token, or null for its own coin. */
export type SimulatedAsset = {
  readonly id: number
  readonly code: string
  readonly token: string | null
  readonly chain: string
}

/** The cursor of a chain. */
export type Cursor = {
  readonly height: number
  readonly hash: string
  readonly epoch: bigint
  readonly finalized: number
}

/** A payment request as the payer sees it. */
export type Bill = {
  readonly reference: string
  readonly to: string
  readonly chainId: number
  readonly assetId: number
  readonly dueUnits: bigint
}

/**
 * The phase of a run: trouble, then calm in which all work must finish, then days in which delayed webhooks are
 * delivered.
 */
export type Phase = 'trouble' | 'calm' | 'days'

export type HotWallet = { readonly walletId: number; readonly address: string; readonly family: ChainFamily }

/** The hot wallets, whom it was asked to pay, and how far that is. Addresses are as families compare them here. */
export type Treasury = {
  readonly wallets: readonly HotWallet[]
  /** Addresses of customers who send without being asked to. */
  readonly depositors: readonly Omit<HotWallet, 'walletId'>[]
  /** Payouts that were asked for so far: each is paid to an address of its own. */
  asked: number
  /** Transactions sent from outside so far: each has a name of its own. */
  sent: number
  /** Awaits of senders so far. */
  awaits: number
  /** Payouts that are decided, and sweeps that were started, that the chains have not settled; and how many looks found the same before. */
  waiting: string
  looks: number
  /** Whether there are any. */
  isBusy: boolean
  /** Whether all of that was given to nodes, or waits for what was: a block takes it, or its time passes. */
  isLapsing: boolean
  /** Whether all of that is what keys of deposit addresses signed, which lapses much later. */
  isPermissionLapsing: boolean
}

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
  /** What can be sent on them. */
  readonly assets: readonly SimulatedAsset[]
  readonly chaos: Chaos
  /** What the program pays out in this world; null where it only receives. */
  readonly treasury: Treasury | null
  phase: Phase
  /** Payments the merchant created, and the requests that payers saw. */
  readonly references: string[]
  readonly bills: Bill[]
  /** Processes of the program that run now. */
  readonly running: Set<Process>
  /** Plausible prices a source has reported, by currency; a quote may use no other. */
  readonly goodPrices: Map<string, Set<string>>
  /** Which process holds the lease of a chain, and a signal for each that lost it. */
  readonly holdsLease: Map<number, Process>
  readonly leases: Map<Process, AbortController>
  /** As last committed, by chain. */
  readonly cursors: Map<number, Cursor>
  /** No process is started again. */
  isOver: boolean
  /** A property that failed inside a call. */
  complaint: Error | null
}

/** Unseals the webhook secrets; the same key in every run, because the saved database contains them. */
const MASTER_KEY = Buffer.alloc(32, 7)

/** The context except for time, the database and the network. */
export function plainContext(
  db: Db,
  subscribers: readonly Subscriber[] = [{ runAll: queueDeliveries }],
): Omit<Context, 'now' | 'sleep' | 'jobs' | 'egress' | 'connect'> {
  return {
    db,
    config: testConfig('postgres://simulated'),
    keys: testKeys(MASTER_KEY),
    memory: new Map(),
    live: SILENT,
    log: pino({ level: 'silent' }),
    events: createEvents(subscribers, () => undefined),
    caller: { kind: 'system' },
    change: () => undefined,
    requestId: 'simulated',
  }
}

/** How long polling loops wait at least, by phase: without it a simulated hour would consist of empty polls. */
const SHORTEST_SLEEP_MS: Readonly<Record<Phase, readonly [number, number]>> = {
  trouble: [1_000, 40_000],
  calm: [1_000, 10_000],
  days: [600_000, 1_800_000],
}

/** How long an actor waits: runs differ in how much happens between two of its polls. */
export function wait({ random, phase, chaos }: World, [least, most]: readonly [number, number]): number {
  return random.between(least, most) * (phase === 'trouble' ? chaos.slowness : 1)
}

/** Longer than any run: an actor that acts only while there is trouble never wakes afterwards. */
const FOR_GOOD_MS = 10 * 365 * 86_400_000

/** How long an actor waits that does nothing once the trouble is over. */
export function waitInTrouble(world: World, range: readonly [number, number]): number {
  // Where shops pay out, or chains of several families are read, more is to be paid in, in as many steps.
  const isHurried = world.treasury !== null || world.chains.some(({ family }) => family.name !== 'ETH_Family')
  const [least, most] = isHurried ? [range[0] / 4, range[1] / 4] : range
  return world.phase === 'trouble' ? wait(world, [Math.floor(least), Math.floor(most)]) : FOR_GOOD_MS
}

/** Whether a world that sweeps has one chain, with a whole run for itself. */
export function isAlone({ treasury, chains }: Pick<World, 'treasury' | 'chains'>): boolean {
  return treasury !== null && chains.length === 1
}

/** The whole context of a process of the program, through the world. */
export function contextOf(world: World, process: Process, sees: 'chains' | 'prices' = 'chains'): Context {
  const { scheduler, network } = world
  const plain = plainContext(world.sessions.open(process), ...(world.treasury ? [SUBSCRIBERS] : []))
  return {
    ...plain,
    // Prices are always the sandbox's: those of public networks have tests of their own.
    ...(sees === 'chains' && world.chaos.hasFinality && { config: { ...plain.config, network: 'testnet' } }),
    now: () => new Date(scheduler.now() + process.skewMs),
    sleep: (ms, signal) => scheduler.sleep(Math.max(ms, wait(world, SHORTEST_SLEEP_MS[world.phase])), signal),
    jobs: { send: world.queue.send, workerOf: () => undefined },
    egress: world.receiver.egress,
    connect: (node) => connect({ ...node, fetch: network }),
  }
}
