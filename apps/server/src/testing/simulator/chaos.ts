import type { Random } from './random.ts'
import type { DatabaseFaults } from './sessions.ts'

/** The mixture of faults in one run. Each run draws its own, so that some faults occur alone and some together. */
export type Chaos = {
  /** How much slower than usual the world runs: from minutes to days in one run. */
  readonly slowness: number
  /** Whether the chains report finality, as public networks do; otherwise depth decides, as on the sandbox. */
  readonly hasFinality: boolean
  readonly database: DatabaseFaults
  /** Shares of steps after which the process that took it dies, or pauses. */
  readonly kill: number
  readonly pause: number
  readonly flawedCalls: number
  readonly flawedDeliveries: number
  /** Shares of passes with a fault, and of blocks. */
  readonly badNode: number
  readonly clock: number
  readonly badPrice: number
  readonly reorg: number
  readonly deepReorg: number
}

/** The most of each fault: with more, nothing but recovery happens. */
const MOST = {
  beforeCommit: 0.03,
  afterCommit: 0.03,
  connection: 0.005,
  serialization: 0.005,
  slow: 0.002,
  kill: 0.005,
  pause: 0.015,
  flawedCalls: 0.08,
  flawedDeliveries: 0.4,
  badNode: 0.5,
  clock: 0.1,
  badPrice: 0.3,
  reorg: 0.25,
} as const

/** Shares of runs without a kind of fault, and with a reorganisation that no program may follow. */
const SPARED = 0.4
const HALTING = 0.03

const WITH_FINALITY = 0.3
const SLOWNESSES = [1, 2, 6, 20, 60] as const

/** Draws the mixture of a run. */
export function drawChaos(random: Random): Chaos {
  const share = (most: number) => (random.chance(SPARED) ? 0 : most * random.next())
  return {
    slowness: random.pick(SLOWNESSES),
    hasFinality: random.chance(WITH_FINALITY),
    database: {
      beforeCommit: share(MOST.beforeCommit),
      afterCommit: share(MOST.afterCommit),
      connection: share(MOST.connection),
      serialization: share(MOST.serialization),
      slow: share(MOST.slow),
    },
    kill: share(MOST.kill),
    pause: share(MOST.pause),
    flawedCalls: share(MOST.flawedCalls),
    flawedDeliveries: share(MOST.flawedDeliveries),
    badNode: share(MOST.badNode),
    clock: share(MOST.clock),
    badPrice: share(MOST.badPrice),
    reorg: share(MOST.reorg),
    deepReorg: random.chance(HALTING) ? 0.05 : 0,
  }
}
