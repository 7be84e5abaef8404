/** Follows sends until the chain has decided: broadcast, ask, bump, decide, reopen (money.md 7.3). */
import { asSystem, type Context, type LiveMessage } from '../../../context.ts'
import { type Lease, takeLease } from '../../../db/lease.ts'
import type { ReportRun } from '../../../jobs/jobs.ts'
import type { Running } from '../../../jobs/worker-group.ts'
import { countSentRows, listSendingBlockchains } from './open-store.ts'
import { newMemory, type PassMemory } from './following.ts'
import { followSends } from './follow-sends.ts'

export { findBranchState } from './open-store.ts'
export { isDecided, openRelay, type Relay } from './relay.ts'
export { reopenSends } from './reopen-sends.ts'

/** First key of the advisory lock of the process that follows the sends of a blockchain: the letters "KN" (Kassa sender). */
const LEASE_SPACE = 0x4b4e

/** How often undecided sends are worked on. On the sandbox blocks are made on demand. */
const EVERY_MS = { sandbox: 250, testnet: 1_000, mainnet: 1_000 } as const

/**
 * How often this process looks for sends, and for chains that no process follows, while it has none; a new send wakes the loop.
 */
const IDLE_MS = 2_000

/** The name of a pass in worker reports. */
const PASS = 'sends.follow'

/** How many sends of a blockchain wait for it to decide. */
export function countSent(ctx: Context, blockchainId: number): Promise<number> {
  return countSentRows(ctx, blockchainId)
}

/** Follows the sends of every blockchain until `stop`; each blockchain is followed by one process at a time. */
export function startFollowingSends(ctx: Context, reportRun: ReportRun): Running {
  const system = asSystem(ctx)
  const stopping = new AbortController()
  const chains = new Map<number, { readonly lease: Lease; readonly memory: PassMemory }>()
  const waker = createWaker()
  const unsubscribe = ctx.live.subscribe((message) => {
    if (message === null || isDue(message)) waker.wake()
  })
  const finished = (async () => {
    while (!stopping.signal.aborted) {
      const isIdle = await pass(system, chains, stopping.signal).then(
        (open) => {
          reportRun(PASS, null)
          return open === 0
        },
        (err: unknown) => {
          ctx.log.error({ err }, 'sends could not be looked after')
          reportRun(PASS, err instanceof Error ? err.message : String(err))
          return false
        },
      )
      await waker.wait(system, isIdle ? IDLE_MS : EVERY_MS[ctx.config.network], stopping.signal)
    }
    for (const { lease } of chains.values()) await lease.release()
  })()
  return {
    stop: async () => {
      unsubscribe()
      stopping.abort()
      await finished
    },
  }
}

type Chains = Map<number, { readonly lease: Lease; readonly memory: PassMemory }>

/**
 * Works once on the sends of every blockchain that this process follows or can start to follow; returns how many sends are
 * undecided.
 */
async function pass(ctx: Context, chains: Chains, signal: AbortSignal): Promise<number> {
  for (const [id, { lease }] of chains) if (lease.lost.aborted) chains.delete(id)
  const outcomes = await Promise.allSettled(
    (await listSendingBlockchains(ctx)).map(async (id) => {
      const held = chains.get(id) ?? (await lead(ctx, chains, id))
      return held && !signal.aborted ? followSends(ctx, id, held.memory) : 0
    }),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
  return outcomes.reduce((sum, outcome) => sum + (outcome.status === 'fulfilled' ? outcome.value : 0), 0)
}

async function lead(ctx: Context, chains: Chains, id: number) {
  const lease = await takeLease(ctx.config.databaseDirectUrl, { space: LEASE_SPACE, id, name: 'kassa-send' })
  if (!lease) return undefined
  const held = { lease, memory: newMemory() }
  chains.set(id, held)
  return held
}

function isDue({ name }: LiveMessage): boolean {
  return name === 'send.due'
}

/** A sleep that a new send ends. */
function createWaker() {
  let woken = new AbortController()
  return {
    wake: () => woken.abort(),
    wait: async (ctx: Context, ms: number, signal: AbortSignal) => {
      await ctx.sleep(ms, AbortSignal.any([signal, woken.signal]))
      woken = new AbortController()
    },
  }
}
