import type { AlarmParams } from '@kassa/contract/alarms/catalogue.ts'

import type { LagFacts } from '../blocks/cursor-store.ts'

/** Lag that makes a chain count as behind, in seconds: payers see that they have to wait (money.md 2.10). */
const BEHIND_SECONDS = 60

/** A chain of slow blocks is behind after this many of them. */
const BEHIND_BLOCKS = 3

/** Whether so many unread blocks mean that the chain is behind. */
export function isBehind(lagBlocks: number, blockSeconds: number): boolean {
  return lagBlocks > BEHIND_BLOCKS && lagBlocks * blockSeconds > BEHIND_SECONDS
}

/**
 * How often the head is read: four times a block, at most twice a second (money.md W-3), so that a payment shows
 * quickly and a node is not overloaded.
 */
export function pollEveryMs(blockSeconds: number, isSandbox: boolean): number {
  return isSandbox ? SANDBOX_POLL_MS : Math.max(500, (blockSeconds * 1000) / 4)
}

/** Local chains mine at once, and a developer watches the screen. */
const SANDBOX_POLL_MS = 250

/** Longest wait after repeated failures: a recovered node is used within half a minute. */
const LONGEST_BACKOFF_MS = 30_000

/** Wait after the nth failure in a row: half a second, doubling. */
export function backoffMs(failures: number): number {
  return Math.min(LONGEST_BACKOFF_MS, 500 * 2 ** Math.min(failures - 1, 10))
}

/** Polls and slow nodes can take this long on their own; nothing shorter is a stall. */
const SHORTEST_STALL_SECONDS = 120

/** After how long without growth finality counts as stalled: three times its typical wait (C-3). */
export function finalityStallsAfterMs(finalitySeconds = 0): number {
  return Math.max(SHORTEST_STALL_SECONDS, 3 * finalitySeconds) * 1000
}

/** Short lags end by themselves (money.md 2.10). */
const BEHIND_FOR_MS = 2 * 60_000

/** A chain counts as silent after the time of this many blocks, and where they take seconds or less, after this time. */
const SILENT_BLOCKS = 10
const SHORTEST_SILENCE_MS = 60_000

/** The alarms about the lag of a chain, without its code; null where one does not apply. */
export type LagAlarms = {
  readonly behind: Omit<AlarmParams<'chain_behind'>, 'blockchainCode'> | null
  readonly silent: Omit<AlarmParams<'chain_silent'>, 'blockchainCode'> | null
}

/** Computes the lag alarms of a blockchain (money.md 2.10). */
export function lagAlarms(facts: LagFacts, now: Date): LagAlarms {
  const since = (date: Date | null) => (date === null ? 0 : now.getTime() - date.getTime())
  const minutes = (ms: number) => Math.floor(ms / 60_000)
  const isUnread = since(facts.checkedAt) > BEHIND_FOR_MS
  const isBehindForLong = since(facts.behindSince) > BEHIND_FOR_MS
  const silentAfter = Math.max(SHORTEST_SILENCE_MS, SILENT_BLOCKS * facts.blockSeconds * 1000)
  const isSilent = !isUnread && since(facts.headAt) > silentAfter
  const lagBlocks = facts.headHeight - facts.height
  return {
    behind: isUnread
      ? { lagBlocks: null, minutes: minutes(since(facts.checkedAt)) }
      : isBehindForLong
        ? { lagBlocks, minutes: minutes(since(facts.behindSince)) }
        : null,
    silent: isSilent ? { minutes: minutes(since(facts.headAt)), height: facts.headHeight } : null,
  }
}
