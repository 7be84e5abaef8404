import type { ChainSession } from '@kassa/chains/adapter.ts'

import { creditUnclaimed } from '../rescan/credit-unclaimed.ts'
import type { FollowerState, Follower } from './follower.ts'
import { noticeFor } from './chain-notice.ts'
import { retryQuarantined } from '../quarantine/quarantine-blocks.ts'
import { crossCheck } from '../verification/cross-check.ts'
import { updateLookedAt, updateNotice } from '../blocks/cursor-store.ts'

/** Work beside the turns: it may wait for slow nodes, and the head does not wait for it. */
type Round = { readonly everyMs: number; readonly run: (chain: ChainSession, isFirst: boolean) => Promise<unknown> }

/** A second source that was silent is left alone for this long. */
const SILENCE_MS = 15_000

export type Rounds = {
  /** Begins what is due, unless the work before is still going on. */
  readonly start: (chain: ChainSession) => void
  /** Waits for what was begun. */
  readonly done: () => Promise<void>
}

/** The work beside the turns of one leader, each at its own pace, one after the other. */
export function startPeriodicTasks(watch: Follower, progress: FollowerState): Rounds {
  const { ctx, row } = watch
  const lastAt = new Map<Round, number>()
  const rounds = roundsOf(watch, progress)
  let running: Promise<void> | undefined
  const runDue = async (chain: ChainSession) => {
    for (const round of rounds) {
      const now = ctx.now().getTime()
      const last = lastAt.get(round)
      if (last !== undefined && Math.abs(now - last) < round.everyMs) continue
      lastAt.set(round, now)
      await round
        .run(chain, last === undefined)
        .catch((error: unknown) => ctx.log.warn({ blockchain: row.code, err: error }, 'work beside reading failed'))
    }
  }
  return {
    start: (chain) => {
      running ??= runDue(chain).finally(() => (running = undefined))
    },
    done: async () => running,
  }
}

function roundsOf(watch: Follower, progress: FollowerState): Round[] {
  const { ctx, reader, assets, known } = watch
  let silentUntil = 0
  return [
    {
      everyMs: 10_000,
      run: async (chain) => {
        if (!progress.cursor) return
        const state = await updateLookedAt(ctx, progress.cursor)
        if (state) progress.cursor = { ...progress.cursor, state }
        const notice = await noticeFor(ctx, chain.chain, progress.cursor)
        if (notice !== progress.cursor.notice) await updateNotice(ctx, progress.cursor, notice)
        progress.cursor = { ...progress.cursor, notice }
      },
    },
    {
      everyMs: 500,
      run: async (chain) => {
        if (!progress.cursor || ctx.now().getTime() < silentUntil) return
        const answered = await crossCheck(ctx, chain, reader, progress.cursor)
        silentUntil = answered ? 0 : ctx.now().getTime() + SILENCE_MS
      },
    },
    { everyMs: 5_000, run: (chain) => creditUnclaimed(ctx, chain) },
    {
      everyMs: 30_000,
      run: async (chain, isFirst) => {
        if (!progress.cursor) return
        const want = { assets, matches: known.filter.has }
        await retryQuarantined(ctx, chain, progress.cursor, { reader, want, familyId: known.familyId, all: isFirst })
      },
    },
  ]
}
