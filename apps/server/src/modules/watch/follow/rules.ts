import type { LagFacts } from '../blocks/cursor-store.ts'

/** Lag that makes a chain count as behind, in seconds: payers are told to wait (money.md 2.10). */
const BEHIND_SECONDS = 60

/** A chain of slow blocks is behind after this many of them. */
const BEHIND_BLOCKS = 3

/** Tells whether so many unread blocks mean that the chain is behind. */
export function isBehind(lagBlocks: number, blockSeconds: number): boolean {
  return lagBlocks > BEHIND_BLOCKS && lagBlocks * blockSeconds > BEHIND_SECONDS
}

/** How often the head is asked for: a quarter of the block time, half a second at least (W-3). */
export function pollEveryMs(blockSeconds: number, isSandbox: boolean): number {
  return isSandbox ? SANDBOX_POLL_MS : Math.max(500, (blockSeconds * 1000) / 4)
}

/** Local chains mine at once; someone is watching the screen. */
const SANDBOX_POLL_MS = 250

/** Longest wait after repeated failures: a node that is back is used within half a minute. */
const LONGEST_BACKOFF_MS = 30_000

/** Wait after the nth failure in a row: half a second, doubling. */
export function backoffMs(failures: number): number {
  return Math.min(LONGEST_BACKOFF_MS, 500 * 2 ** Math.min(failures - 1, 10))
}

/** Polls and slow nodes alone can take this long: nothing shorter is a stall. */
const SHORTEST_STALL_SECONDS = 120

/** After how long without growth finality stands still: three times its typical wait (C-3). */
export function finalityStallsAfterMs(finalitySeconds = 0): number {
  return Math.max(SHORTEST_STALL_SECONDS, 3 * finalitySeconds) * 1000
}

/** Short lags heal by themselves (money.md 2.10). */
const BEHIND_FOR_MS = 2 * 60_000

/** Blocks without which a chain counts as silent. */
const SILENT_BLOCKS = 10

/** Says what is wrong with the pace of a blockchain, in words for people; null for what is well (money.md 2.10). */
export function lagAlarms(pace: LagFacts, now: Date): { chain_behind: string | null; chain_silent: string | null } {
  const since = (date: Date | null) => (date === null ? 0 : now.getTime() - date.getTime())
  const minutes = (ms: number) => `${Math.floor(ms / 60_000)} minutes`
  const isUnheard = since(pace.lookedAt) > BEHIND_FOR_MS
  const lag = pace.headHeight - pace.height
  const behind = isUnheard
    ? `Nobody has read it for ${minutes(since(pace.lookedAt))}. See that a process with the role watcher runs and its nodes answer.`
    : since(pace.behindSince) > BEHIND_FOR_MS
      ? `The reader is ${lag} blocks behind for ${minutes(since(pace.behindSince))}. Payers wait: try a faster node.`
      : null
  const isSilent = !isUnheard && since(pace.headAt) > SILENT_BLOCKS * pace.blockSeconds * 1000
  return {
    chain_behind: behind,
    chain_silent: isSilent
      ? `No node has shown a new block for ${minutes(since(pace.headAt))}. Compare ${pace.headHeight} with an explorer.`
      : null,
  }
}
