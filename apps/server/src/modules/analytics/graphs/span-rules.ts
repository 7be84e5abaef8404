/** Which moments a graph covers, and how they are divided (api.md 8.2, 8.3). */
import type { DatePreset } from '@kassa/contract/analytics/groups.ts'
import type { Bucket as BucketLength } from '@kassa/contract/analytics/schemas.ts'

import type { Moments } from '../rollups/rules.ts'
import type { Wall, Zone } from './zone-rules.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Days up to which a span is divided into hours, days and weeks; a longer one into months. */
const HOURS_UP_TO = 2
const DAYS_UP_TO = 92
const WEEKS_UP_TO = 366

/** The span of a preset now; null from the beginning. Today belongs to it completely. */
export function presetSpan(
  preset: Exclude<DatePreset, 'custom'>,
  zone: Zone,
  now: Date,
): { readonly from: Date | null; readonly until: Date } {
  const { year, month, day } = zone.wallAt(now)
  const start = (days: number) => zone.startOf(year, month, day + days)
  const tomorrow = start(1)
  switch (preset) {
    case 'today':
      return { from: start(0), until: tomorrow }
    case 'yesterday':
      return { from: start(-1), until: start(0) }
    case 'last_7_days':
      return { from: start(-6), until: tomorrow }
    case 'last_14_days':
      return { from: start(-13), until: tomorrow }
    case 'last_30_days':
      return { from: start(-29), until: tomorrow }
    case 'this_month':
      return { from: zone.startOf(year, month, 1), until: tomorrow }
    case 'last_month':
      return { from: zone.startOf(year, month - 1, 1), until: zone.startOf(year, month, 1) }
    case 'last_6_months':
      return { from: zone.startOf(year, month - 5, 1), until: tomorrow }
    case 'forever':
      return { from: null, until: tomorrow }
  }
}

/** The span before a span: as many calendar days of the zone, or the same length when it is not made of whole days. */
export function spanBefore({ from, until }: Moments, zone: Zone): Moments {
  const [first, last] = [zone.wallAt(from), zone.wallAt(until)]
  const isWhole = startsDay(from, first, zone) && startsDay(until, last, zone)
  if (!isWhole) return { from: new Date(2 * from.getTime() - until.getTime()), until: from }
  const days = calendarDay(last) - calendarDay(first)
  return { from: zone.startOf(first.year, first.month, first.day - days), until: from }
}

/** How a span is divided. */
export function bucketLength(span: Moments, zone: Zone): BucketLength {
  const last = zone.wallAt(new Date(span.until.getTime() - 1))
  const days = calendarDay(last) - calendarDay(zone.wallAt(span.from)) + 1
  if (days <= HOURS_UP_TO) return 'hour'
  if (days <= DAYS_UP_TO) return 'day'
  return days <= WEEKS_UP_TO ? 'week' : 'month'
}

/** Divides a span at the hours, days, weeks (from Monday) or months of the zone; the first and the last may be shorter. */
export function bucketsOf({ from, until }: Moments, zone: Zone, length: BucketLength): Moments[] {
  const buckets: Moments[] = []
  for (let at = from; at < until;) {
    const next = nextStart(at, zone, length)
    const end = next < until ? next : until
    buckets.push({ from: at, until: end })
    at = end
  }
  return buckets
}

function nextStart(at: Date, zone: Zone, length: BucketLength): Date {
  const { year, month, day, minute, weekday } = zone.wallAt(at)
  if (length === 'month') return zone.startOf(year, month + 1, 1)
  if (length === 'week') return zone.startOf(year, month, day + (weekday === 0 ? 1 : 8 - weekday))
  const tomorrow = zone.startOf(year, month, day + 1)
  if (length === 'day') return tomorrow
  const past = minute * 60_000 + (at.getTime() % 60_000)
  const hour = new Date(at.getTime() + HOUR_MS - past)
  return hour < tomorrow ? hour : tomorrow
}

function startsDay(at: Date, { year, month, day }: Wall, zone: Zone): boolean {
  return zone.startOf(year, month, day).getTime() === at.getTime()
}

/** Days since 1970 of a calendar without zones. */
function calendarDay({ year, month, day }: Wall): number {
  return Date.UTC(year, month - 1, day) / DAY_MS
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The label of a bucket: `Apr 06` and `Monday`; an hour `14:00` and its day, a week its first and last day, a month its year. */
export function bucketLabels(
  bucket: Moments,
  zone: Zone,
  length: BucketLength,
): { readonly Timestamp: string; readonly Extras: string } {
  const wall = zone.wallAt(bucket.from)
  const day = dayLabel(wall)
  if (length === 'hour') return { Timestamp: `${two(wall.hour)}:${two(wall.minute)}`, Extras: day }
  if (length === 'day') return { Timestamp: day, Extras: WEEKDAYS[wall.weekday] ?? '' }
  if (length === 'month') return { Timestamp: MONTHS[wall.month - 1] ?? '', Extras: String(wall.year) }
  return { Timestamp: day, Extras: `to ${dayLabel(zone.wallAt(new Date(bucket.until.getTime() - 1)))}` }
}

function dayLabel({ month, day }: Wall): string {
  return `${MONTHS[month - 1]} ${two(day)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
