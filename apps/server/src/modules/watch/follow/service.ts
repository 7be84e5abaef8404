/**
 * Watching: reads every active blockchain block by block and tells payments what arrived, what became final and what was
 * taken back. One process leads a blockchain at a time; any number may try.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainFamily } from '@kassa/primitives/chains/families.ts'
import { asSystem, type Context } from '../../../context.ts'
import { adapterOf, type BlockchainRow, listBlockchains } from '../../blockchains/chains/service.ts'
import { followChain } from './follow-chain.ts'
import { type KnownAddresses, knownAddresses } from '../matching/known-addresses.ts'
import { takeLease } from '../blocks/lease-store.ts'
import { listHalted } from '../blocks/cursor-store.ts'

export type { FollowerState } from './follower.ts'
export type { Follower } from './follower.ts'

export { requestResume } from './halt-chain.ts'

/** How often followers try to lead, and new blockchains are noticed: a killed leader is replaced within 5 s (money.md 2.9). */
const ROUND_MS = 2_000

export type Watching = {
  /** The codes of the blockchains that are followed, or would be but for a halt. */
  readonly codes: () => readonly string[]
  /** Ends the current turn of one; this process or another leads it again within a round. */
  readonly restart: (code: string) => Promise<void>
  /** Resolves when the last turn is committed or rolled back. */
  readonly stop: () => Promise<void>
}

/** Follows every active blockchain until `stop`. */
export function startWatching(ctx: Context): Watching {
  const stopping = new AbortController()
  const round: Round = { ...emptyRound(), ctx: asSystem(ctx), signal: stopping.signal }
  const finished = keepWatching(round)
  return {
    codes: () => round.active.map(({ code }) => code),
    restart: async (code) => {
      const row = round.active.find((one) => one.code === code)
      const attempt = row && round.running.get(row.id)
      attempt?.drop()
      await attempt?.done
    },
    stop: async () => {
      stopping.abort()
      await finished
    },
  }
}

type Round = {
  readonly ctx: Context
  readonly signal: AbortSignal
  /** Running attempts to lead, by blockchain; `drop` ends one. */
  readonly running: Map<number, { readonly done: Promise<void>; readonly drop: () => void }>
  readonly known: Map<ChainFamily, KnownAddresses>
  /** As of the last look around. */
  active: readonly BlockchainRow[]
}

function emptyRound(): Pick<Round, 'running' | 'known' | 'active'> {
  return { running: new Map(), known: new Map(), active: [] }
}

async function keepWatching(round: Round): Promise<void> {
  const { ctx, signal, running } = round
  while (!signal.aborted) {
    await lookAround(round).catch((error: unknown) => ctx.log.warn({ err: error }, 'blockchains could not be listed'))
    await sleep(ROUND_MS, undefined, { signal }).catch(() => undefined)
  }
  await Promise.all([...running.values()].map(({ done }) => done))
}

/** Starts an attempt for every active blockchain that has none, and ends those of blockchains that are active no more. */
async function lookAround(round: Round): Promise<void> {
  const { ctx, running } = round
  const halted = new Set(await listHalted(ctx))
  round.active = (await listBlockchains(ctx)).filter(({ status }) => status === 'active')
  const followed = round.active.filter(({ id }) => !halted.has(id))
  const ids = new Set(followed.map(({ id }) => id))
  for (const [id, { drop }] of running) if (!ids.has(id)) drop()
  for (const row of followed) {
    if (running.has(row.id)) continue
    const dropped = new AbortController()
    const done = lead(round, row, AbortSignal.any([round.signal, dropped.signal]))
      .catch((error: unknown) => ctx.log.warn({ blockchain: row.code, err: error }, 'watching ended'))
      .finally(() => running.delete(row.id))
    running.set(row.id, { done, drop: () => dropped.abort() })
  }
}

/** Leads a blockchain if nobody else does, for as long as the lock is held. */
async function lead({ ctx, known }: Round, row: BlockchainRow, signal: AbortSignal): Promise<void> {
  const adapter = adapterOf(row.definition.family)
  if (!adapter) return
  const lease = await takeLease(ctx.config.databaseDirectUrl, row.id)
  if (!lease) return
  try {
    const family = known.get(adapter.family) ?? knownAddresses(adapter.family)
    known.set(adapter.family, family)
    await followChain(ctx, { row, adapter, known: family }, AbortSignal.any([signal, lease.lost]))
  } finally {
    await lease.release()
  }
}
