import {
  blocksPerSecond,
  chainLagBlocks,
  chainLagSeconds,
  detectSeconds,
  filterSize,
  quarantineOpen,
  reorgDepth,
} from './registry.ts'

/** Publishes how far reading is behind the node's head. */
export function notePlace(blockchain: string, place: { lag: number; minedAt: Date; now: Date }): void {
  chainLagBlocks.set({ blockchain }, place.lag)
  chainLagSeconds.set({ blockchain }, place.lag > 0 ? secondsBetween(place.minedAt, place.now) : 0)
}

/** Publishes how long after its block a deposit was committed. */
export function noteFound(blockchain: string, minedAt: Date, now: Date): void {
  detectSeconds.observe({ blockchain }, secondsBetween(minedAt, now))
}

/** Publishes how fast blocks are taken in. */
export function noteSpeed(blockchain: string, blocks: number, seconds: number): void {
  blocksPerSecond.set({ blockchain }, blocks / Math.max(seconds, 0.001))
}

/** Publishes how many blocks a reorganisation took back. */
export function noteReorg(blockchain: string, depth: number): void {
  reorgDepth.observe({ blockchain }, depth)
}

/** Publishes how many blocks wait to be readable. */
export function noteQuarantine(blockchain: string, open: number): void {
  quarantineOpen.set({ blockchain }, open)
}

/** Publishes how many addresses are watched. */
export function noteFilter(family: string, size: number): void {
  filterSize.set({ family }, size)
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / 1000)
}
