/**
 * Following chains: reads every active blockchain block by block and credits, finalizes and reverts deposits. One
 * process leads a blockchain at a time; any number may try.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainFamily } from '@kassa/primitives/chains/families.ts'
import { asSystem, type Context } from '../../../context.ts'
import { takeLease } from '../../../db/lease.ts'
import { adapterOf, type BlockchainRow, listBlockchains } from '../../blockchains/chains/service.ts'
import { followChain } from './follow-chain.ts'
import { type KnownAddresses, knownAddresses } from '../matching/known-addresses.ts'
import { listHalted } from '../blocks/cursor-store.ts'

export type { FollowerState } from './follower.ts'
export type { Follower } from './follower.ts'

export { requestResume } from './halt-chain.ts'

/**
 * How often this process tries to lead, and looks for new blockchains: a killed leader is replaced within 5 s (money.md
 * 2.9).
 */
const REFRESH_MS = 2_000

/** First key of the advisory lock of the process that reads a blockchain: the letters "KW" (Kassa watcher). */
const LEASE_SPACE = 0x4b57

export type Watching = {
  /** The codes of the blockchains that are followed, including halted ones. */
  readonly codes: () => readonly string[]
  /** Ends the current poll of a blockchain; this process or another leads it again within one interval. */
  readonly restart: (code: string) => Promise<void>
  /** Resolves when the last poll is committed or rolled back. */
  readonly stop: () => Promise<void>
}

/** Follows every active blockchain until `stop`. */
export function startWatching(ctx: Context): Watching {
  const stopping = new AbortController()
  const followers: Followers = { ...noFollowers(), ctx: asSystem(ctx), signal: stopping.signal }
  const finished = followUntilStopped(followers)
  return {
    codes: () => followers.active.map(({ code }) => code),
    restart: async (code) => {
      const row = followers.active.find((one) => one.code === code)
      const attempt = row && followers.running.get(row.id)
      attempt?.drop()
      await attempt?.done
    },
    stop: async () => {
      stopping.abort()
      await finished
    },
  }
}

type Followers = {
  readonly ctx: Context
  readonly signal: AbortSignal
  /** Running attempts to lead, by blockchain; `drop` ends an attempt. */
  readonly running: Map<number, { readonly done: Promise<void>; readonly drop: () => void }>
  readonly known: Map<ChainFamily, KnownAddresses>
  /** As of the last refresh. */
  active: readonly BlockchainRow[]
}

function noFollowers(): Pick<Followers, 'running' | 'known' | 'active'> {
  return { running: new Map(), known: new Map(), active: [] }
}

async function followUntilStopped(followers: Followers): Promise<void> {
  const { ctx, signal, running } = followers
  while (!signal.aborted) {
    await refreshFollowers(followers).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'blockchains could not be listed'),
    )
    await sleep(REFRESH_MS, undefined, { signal }).catch(() => undefined)
  }
  await Promise.all([...running.values()].map(({ done }) => done))
}

/**
 * Starts an attempt for every active blockchain that has none, and ends those of blockchains that are not active any
 * more.
 */
async function refreshFollowers(followers: Followers): Promise<void> {
  const { ctx, running } = followers
  const halted = new Set(await listHalted(ctx))
  followers.active = (await listBlockchains(ctx)).filter(({ status }) => status === 'active')
  const followed = followers.active.filter(({ id }) => !halted.has(id))
  const ids = new Set(followed.map(({ id }) => id))
  for (const [id, { drop }] of running) if (!ids.has(id)) drop()
  for (const row of followed) {
    if (running.has(row.id)) continue
    const dropped = new AbortController()
    const done = lead(followers, row, AbortSignal.any([followers.signal, dropped.signal]))
      .catch((error: unknown) => ctx.log.warn({ blockchain: row.code, err: error }, 'watching ended'))
      .finally(() => running.delete(row.id))
    running.set(row.id, { done, drop: () => dropped.abort() })
  }
}

/** Leads a blockchain if no other process does, for as long as the lock is held. */
async function lead({ ctx, known }: Followers, row: BlockchainRow, signal: AbortSignal): Promise<void> {
  const adapter = adapterOf(row.definition.family)
  if (!adapter) return
  // The lock only avoids double work; the epoch in the cursor stops two leaders from both committing.
  const held = { space: LEASE_SPACE, id: row.id, name: 'kassa-watch' }
  const lease = await takeLease(ctx.config.databaseDirectUrl, held)
  if (!lease) return
  try {
    const family = known.get(adapter.family) ?? knownAddresses(adapter.family)
    known.set(adapter.family, family)
    await followChain(ctx, { row, adapter, known: family }, AbortSignal.any([signal, lease.lost]))
  } finally {
    await lease.release()
  }
}
