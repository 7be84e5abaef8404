/** Requests under way in this process, counted per endpoint: a slow receiver fills its own places and nobody else's. */
import { CONCURRENCY } from '../record/rules.ts'

/**
 * Requests of all endpoints together, and what each may have from there on. While few are under way an endpoint may have
 * all its places; the more hang, the fewer, so that one is left for those that answer when a thousand others do not.
 */
const CROWDED = [
  { from: 4096, places: 0 },
  { from: 2048, places: 1 },
  { from: 1024, places: 2 },
] as const

export type ConcurrencyLimiter = {
  /** How many more requests an endpoint may get now. */
  readonly free: (webhookId: number, isFailing: boolean) => number
  readonly take: (webhookId: number) => void
  /** Gives a place back; true when more was due than there were places. */
  readonly leave: (webhookId: number) => boolean
  /** Remembers that more may be due than the endpoint has places, unless none is taken that could get free. */
  readonly reject: (webhookId: number) => void
  /** Whether the endpoint is checked again when its next place is free. */
  readonly isRejected: (webhookId: number) => boolean
}

/** Counts the places that are taken; nothing is under way yet. */
export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const taken = new Map<number, number>()
  const rejected = new Set<number>()
  let total = 0
  return {
    free: (webhookId, isFailing) => {
      const most = isFailing ? CONCURRENCY.failing : CONCURRENCY.healthy
      const crowded = CROWDED.find(({ from }) => total >= from)?.places ?? most
      return Math.max(0, Math.min(most, crowded) - (taken.get(webhookId) ?? 0))
    },
    take: (webhookId) => {
      total += 1
      taken.set(webhookId, (taken.get(webhookId) ?? 0) + 1)
    },
    leave: (webhookId) => {
      total -= 1
      const left = (taken.get(webhookId) ?? 1) - 1
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
