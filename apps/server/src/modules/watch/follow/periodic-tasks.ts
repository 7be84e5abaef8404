import { isDeepStrictEqual } from 'node:util'

import type { ChainSession } from '@kassa/chains/adapter.ts'

import { emptyMemory, readMempool } from '../matching/read-mempool.ts'
import { askUnlisted } from '../matching/match-unlisted.ts'
import { creditUnclaimed } from '../rescan/credit-unclaimed.ts'
import type { FollowerState, Follower } from './follower.ts'
import { noticeFor } from './chain-notice.ts'
import { retryQuarantined } from '../quarantine/quarantine-blocks.ts'
import { crossCheck } from '../verification/cross-check.ts'
import { updateCheckedAt, updateNotice } from '../blocks/cursor-store.ts'

/** A task that runs beside the polls, so that it may wait for slow nodes without delaying the head. */
type PeriodicTask = {
  readonly everyMs: number
  readonly run: (session: ChainSession, isFirst: boolean) => Promise<unknown>
}

/** After a cross-check without an answer, the next one waits this long. */
const SILENCE_MS = 15_000

export type PeriodicTasks = {
  /** Starts what is due, unless its last run is still going. */
  readonly start: (session: ChainSession) => void
  /** Waits for what was started. */
  readonly done: () => Promise<void>
}

/** Starts the periodic tasks of one leader, each with its own interval, one after the other. */
export function startPeriodicTasks(follower: Follower, progress: FollowerState): PeriodicTasks {
  const { ctx, row } = follower
  const lastAt = new Map<PeriodicTask, number>()
  const tasks = tasksOf(follower, progress)
  let running: Promise<void> | undefined
  const runDue = async (session: ChainSession) => {
    for (const task of tasks) {
      const now = ctx.now().getTime()
      const last = lastAt.get(task)
      if (last !== undefined && Math.abs(now - last) < task.everyMs) continue
      lastAt.set(task, now)
      await task
        .run(session, last === undefined)
        .catch((error: unknown) => ctx.log.warn({ blockchain: row.code, err: error }, 'a periodic task failed'))
    }
  }
  return {
    start: (session) => {
      running ??= runDue(session).finally(() => (running = undefined))
    },
    done: async () => running,
  }
}

function tasksOf(follower: Follower, progress: FollowerState): PeriodicTask[] {
  const { ctx, adapter, assets, known } = follower
  let silentAt: number | null = null
  const memory = emptyMemory()
  return [
    {
      everyMs: 10_000,
      run: async (session) => {
        if (!progress.cursor) return
        const state = await updateCheckedAt(ctx, progress.cursor)
        if (state) progress.cursor = { ...progress.cursor, state }
        const notice = await noticeFor(ctx, session.chain, progress.cursor)
        const isOther = !isDeepStrictEqual(notice, progress.cursor.notice)
        if (isOther) await updateNotice(ctx, progress.cursor, notice)
        progress.cursor = { ...progress.cursor, notice }
      },
    },
    {
      everyMs: 500,
      run: async (session) => {
        // A silence that begins in the future was noted by a wrong clock.
        const isSilent = silentAt !== null && Math.abs(ctx.now().getTime() - silentAt) < SILENCE_MS
        if (!progress.cursor || isSilent) return
        const answered = await crossCheck(ctx, session, adapter, progress.cursor)
        silentAt = answered ? null : ctx.now().getTime()
      },
    },
    { everyMs: 2_000, run: (session) => readMempool(ctx, session, { adapter, known, assets, memory }) },
    { everyMs: 5_000, run: (session) => creditUnclaimed(ctx, session) },
    { everyMs: 5_000, run: (session) => askUnlisted(ctx, session, adapter) },
    {
      everyMs: 30_000,
      run: async (session, isFirst) => {
        if (!progress.cursor) return
        const filter = { assets, matches: known.filter.has }
        await retryQuarantined(ctx, session, progress.cursor, {
          adapter,
          filter,
          familyId: known.familyId,
          all: isFirst,
        })
      },
    },
  ]
}
