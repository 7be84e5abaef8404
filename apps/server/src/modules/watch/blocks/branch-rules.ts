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

export type RollBack =
  | { readonly kind: 'reorg'; readonly toHeight: number }
  | { readonly kind: 'halt'; readonly reason: string }

/**
 * Finds the newest of our blocks that the node's branch still holds. Halts instead of going below what was final or
 * deeper than the limit: from there on only a person may decide.
 */
export function planRollBack(position: Position, ours: readonly Place[], theirs: readonly Place[]): RollBack {
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

/**
 * Where a new chain starts: what is final now, and at least as deep as a reorganisation can reach (W-4), because money may
 * have come to an address of ours before anybody read here.
 */
export function startHeight(latest: number, finalized: number | undefined, reorgLimit: number): number {
  return Math.max(0, Math.min(finalized ?? latest, latest - reorgLimit))
}
