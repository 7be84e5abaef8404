/** A block by its place in the chain. */
export type Link = { readonly height: number; readonly hash: string; readonly parentHash: string }
export type Place = { readonly height: number; readonly hash: string }

/** Where reading stands, and how far back the chain may still change its mind. */
export type Position = Place & {
  /** Newest block that was final when we read it; −1 when none is. */
  readonly finalizedHeight: number
  /** Deepest reorganisation followed without a person. */
  readonly reorgLimit: number
}

/** What a node shows in one turn. */
export type Sight = {
  readonly latest: Place
  /** Its block above our position, or null when there is none yet. */
  readonly next: Link | null
  /** Our own block at the height of `latest`, when that is not above our position; null when we keep none. */
  readonly oursAtLatest: string | null
}

export type Step =
  | { readonly kind: 'advance' }
  | { readonly kind: 'wait' }
  /** The node is on another branch: find where it left ours. */
  | { readonly kind: 'fork' }

/**
 * Decides what one turn does. The next block continues ours when it names our block as its parent. Without a next block
 * the chain stands still, or it was replaced by one that is not longer: then its newest block differs from ours.
 */
export function nextStep(position: Place, { latest, next, oursAtLatest }: Sight): Step {
  if (next) {
    const follows = next.height === position.height + 1 && next.parentHash === position.hash
    return { kind: follows ? 'advance' : 'fork' }
  }
  if (latest.height > position.height) return { kind: 'wait' }
  const ours = latest.height === position.height ? position.hash : oursAtLatest
  return { kind: ours === null || ours === latest.hash ? 'wait' : 'fork' }
}

export type Retreat =
  | { readonly kind: 'reorg'; readonly toHeight: number }
  | { readonly kind: 'halt'; readonly reason: string }

/**
 * Finds the newest of our blocks that the node's branch still holds. Halts instead of going below what was final or
 * deeper than the limit: from there on only a person may decide.
 */
export function retreat(position: Position, ours: readonly Place[], theirs: readonly Place[]): Retreat {
  const known = new Map(theirs.map(({ height, hash }) => [height, hash]))
  const shared = ours.filter(({ height, hash }) => height <= position.height && known.get(height) === hash)
  const toHeight = Math.max(-1, ...shared.map(({ height }) => height))
  if (shared.length === 0 || position.height - toHeight > position.reorgLimit) {
    return {
      kind: 'halt',
      reason: `The node replaced more than ${position.reorgLimit} blocks below ${position.height}. Compare it with another source.`,
    }
  }
  if (toHeight < position.finalizedHeight) {
    return {
      kind: 'halt',
      reason: `The node replaced block ${toHeight + 1}, which was final. Compare it with another source.`,
    }
  }
  return { kind: 'reorg', toHeight }
}

/** Blocks kept behind the newest one: enough to follow the deepest reorganisation twice over. */
export function windowSize(reorgLimit: number): number {
  return Math.max(256, 2 * reorgLimit)
}

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

/**
 * How long after the first failure a block that could not be read is due again: 1, 5 and 30 minutes, then hourly
 * (money.md 2.7).
 */
export function retryAfterMs(tries: number): number {
  return ([1, 5, 30][tries - 1] ?? 60 * (tries - 3)) * 60_000
}

/**
 * Where a new chain starts: what is final now, and at least as deep as a reorganisation can reach (W-4), because money may
 * have come to an address of ours before anybody read here.
 */
export function startHeight(latest: number, finalized: number | undefined, reorgLimit: number): number {
  return Math.max(0, Math.min(finalized ?? latest, latest - reorgLimit))
}

/** Polls and slow nodes alone can take this long: nothing shorter is a stall. */
const SHORTEST_STALL_SECONDS = 120

/** After how long without growth finality stands still: three times its typical wait (C-3). */
export function finalityStallsAfterMs(finalitySeconds = 0): number {
  return Math.max(SHORTEST_STALL_SECONDS, 3 * finalitySeconds) * 1000
}

/** How a blockchain is read, as far as alarms go. */
export type Pace = {
  readonly blockSeconds: number
  readonly height: number
  readonly headHeight: number
  /** Since when it is more than five blocks behind; null while it is not. */
  readonly behindSince: Date | null
  /** When the head was last higher than before, and when a leader last heard of it at all. */
  readonly headAt: Date | null
  readonly lookedAt: Date | null
}

/** Short lags heal by themselves (money.md 2.10). */
const BEHIND_FOR_MS = 2 * 60_000

/** Blocks without which a chain counts as silent. */
const SILENT_BLOCKS = 10

/** Says what is wrong with the pace of a blockchain, in words for people; null for what is well (money.md 2.10). */
export function paceAlarms(pace: Pace, now: Date): { chain_behind: string | null; chain_silent: string | null } {
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
