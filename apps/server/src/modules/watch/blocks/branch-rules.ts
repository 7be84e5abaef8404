import type { Halt } from '@kassa/contract/blockchains/halts.ts'

/** A block by its position in the chain. */
export type Link = { readonly height: number; readonly hash: string; readonly parentHash: string }
export type Place = { readonly height: number; readonly hash: string }

/** The position of reading, and how deep a reorganisation it follows. */
export type Position = Place & {
  /** Newest block that was final when we read it; −1 when none is. */
  readonly finalizedHeight: number
  /** Deepest reorganisation that is followed without an operator. */
  readonly reorgLimit: number
}

/** What a node shows in one poll. */
export type NodeView = {
  readonly latest: Place
  /** Its block above our position, or null when there is none yet. */
  readonly next: Link | null
  /** Our own block at the height of `latest`, when that is not above our position; null when none is stored. */
  readonly oursAtLatest: string | null
}

export type Step =
  | { readonly kind: 'advance' }
  | { readonly kind: 'wait' }
  /** The node is on another branch: find where it left ours. */
  | { readonly kind: 'fork' }

/**
 * Decides what one poll does. The next block continues ours when it names our block as its parent and lies above it; a chain
 * may skip heights. Without a next block, either the chain did not grow, or one that is not longer replaced it: its newest
 * block then differs from ours.
 */
export function nextStep(position: Place, { latest, next, oursAtLatest }: NodeView): Step {
  if (next) {
    const follows = next.height > position.height && next.parentHash === position.hash
    return { kind: follows ? 'advance' : 'fork' }
  }
  if (latest.height > position.height) return { kind: 'wait' }
  const ours = latest.height === position.height ? position.hash : oursAtLatest
  return { kind: ours === null || ours === latest.hash ? 'wait' : 'fork' }
}

export type RollBack =
  | { readonly kind: 'reorg'; readonly toHeight: number }
  | { readonly kind: 'halt'; readonly why: Halt }

/**
 * Finds the newest of our blocks that is on the node's branch. Halts instead of going below what was final or deeper than the
 * limit: that might revert money that was already spent, so an operator must decide.
 */
export function planRollBack(position: Position, ours: readonly Place[], theirs: readonly Place[]): RollBack {
  const known = new Map(theirs.map(({ height, hash }) => [height, hash]))
  const shared = ours.filter(({ height, hash }) => height <= position.height && known.get(height) === hash)
  const toHeight = Math.max(-1, ...shared.map(({ height }) => height))
  if (shared.length === 0 || position.height - toHeight > position.reorgLimit) {
    return { kind: 'halt', why: { case: 'too_deep', limit: position.reorgLimit, height: position.height } }
  }
  if (toHeight < position.finalizedHeight) {
    return { kind: 'halt', why: { case: 'below_final', height: toHeight + 1 } }
  }
  return { kind: 'reorg', toHeight }
}

/** Blocks stored behind the newest one: enough to follow the deepest reorganisation twice over. */
export function windowSize(reorgLimit: number): number {
  return Math.max(256, 2 * reorgLimit)
}

/**
 * The first block to read of a new chain: what is final now, but at least as deep as a reorganisation can reach (money.md W-4),
 * because an address of ours may have received money before the first poll.
 */
export function startHeight(latest: number, finalized: number | undefined, reorgLimit: number): number {
  return Math.max(0, Math.min(finalized ?? latest, latest - reorgLimit))
}
