import { chainLagBlocks, chainLagSeconds, detectSeconds } from '../../http/metrics.ts'

/** Publishes how far reading is behind the node's head. */
export function notePlace(blockchain: string, place: { lag: number; minedAt: Date; now: Date }): void {
  chainLagBlocks.set({ blockchain }, place.lag)
  chainLagSeconds.set({ blockchain }, place.lag > 0 ? secondsBetween(place.minedAt, place.now) : 0)
}

/** Publishes how long after its block a deposit was committed. */
export function noteFound(blockchain: string, minedAt: Date, now: Date): void {
  detectSeconds.observe({ blockchain }, secondsBetween(minedAt, now))
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / 1000)
}
