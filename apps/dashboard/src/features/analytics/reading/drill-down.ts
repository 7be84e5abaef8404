import type { GraphData } from '@kassa/contract/analytics/schemas.ts'

import { wallClock } from '../../../lib/time/time-zone.ts'
import { utcIso } from '../../../lib/time/time.ts'

/** From a moment to another, which is not in it. */
export type Stretch = { readonly from: Date; readonly until: Date }

/**
 * Returns what the address of All payments holds for the money of a stretch of time: days where it is whole days of the
 * operator's calendar, else the two moments, the last second included.
 */
export function paidWithin({ from, until }: Stretch): string {
  const [first, end] = [wallClock(from), wallClock(until)]
  if (!isMidnight(first) || !isMidnight(end)) return `${utcIso(from)}..${utcIso(new Date(until.getTime() - 1000))}`
  const [firstDay, lastDay] = [dayOf(first), dayOf(new Date(end.getTime() - 1))]
  return firstDay === lastDay ? firstDay : `${firstDay}..${lastDay}`
}

/** Returns the part of a bucket that its graph counted; the bucket that still fills is whole. */
export function countedOf(bucket: Stretch, graph: Pick<GraphData, 'asOf' | 'span'>): Stretch {
  const { span, asOf } = graph
  const begun = span?.from ?? bucket.from
  const from = begun > bucket.from ? begun : bucket.from
  const isFilling = asOf < bucket.until
  const until = span !== null && span.until < bucket.until && !isFilling ? span.until : bucket.until
  return { from, until }
}

function isMidnight(wall: Date): boolean {
  return wall.getTime() % 86_400_000 === 0
}

function dayOf(wall: Date): string {
  return wall.toISOString().slice(0, 10)
}
