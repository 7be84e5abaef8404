/** Requests under way in this process, counted per endpoint: a slow receiver uses up its own slots and no other's. */
import { CONCURRENCY } from '../record/rules.ts'

/**
 * Numbers of requests under way, and the slots each endpoint has from there on. While few are under way an endpoint may use all
 * its slots; the more requests hang, the fewer, so that slots are left for endpoints that answer when a thousand others do not.
 */
const CROWDED = [
  { from: 4096, places: 0 },
  { from: 2048, places: 1 },
  { from: 1024, places: 2 },
] as const

export type ConcurrencyLimiter = {
  /** How many more requests an endpoint may get now. */
  readonly free: (webhookId: number, isProven: boolean) => number
  readonly take: (webhookId: number, count: number) => void
  /** Frees slots; true when more was due than there were slots. */
  readonly leave: (webhookId: number, count: number) => boolean
  /** Remembers that more may be due than the endpoint has slots, unless none of its slots is in use. */
  readonly reject: (webhookId: number) => void
  /** Whether the endpoint is checked again when a slot becomes free. */
  readonly isRejected: (webhookId: number) => boolean
}

/** Counts the slots in use; at first there are none. */
export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const taken = new Map<number, number>()
  const rejected = new Set<number>()
  let total = 0
  return {
    free: (webhookId, isProven) => {
      const most = isProven ? CONCURRENCY.proven : CONCURRENCY.unproven
      const crowded = CROWDED.find(({ from }) => total >= from)?.places ?? most
      return Math.max(0, Math.min(most, crowded) - (taken.get(webhookId) ?? 0))
    },
    take: (webhookId, count) => {
      total += count
      taken.set(webhookId, (taken.get(webhookId) ?? 0) + count)
    },
    leave: (webhookId, count) => {
      total -= count
      const left = (taken.get(webhookId) ?? count) - count
      if (left > 0) taken.set(webhookId, left)
      else taken.delete(webhookId)
      return rejected.delete(webhookId)
    },
    reject: (webhookId) => {
      if (taken.has(webhookId)) rejected.add(webhookId)
    },
    isRejected: (webhookId) => rejected.has(webhookId),
  }
}
