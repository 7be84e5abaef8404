import { plural, t } from '@lingui/core/macro'

import { bidiIsolated } from '../text/bidi.ts'
import { dayFormat } from '../text/locale-format.ts'
import { hoursMinutes } from './clock-minute.ts'
import { wallClock } from './time-zone.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The specification's month in a time-remaining text. */
const MONTH_MS = 30 * DAY_MS

type Span = readonly [spanMs: number, text: (whole: number) => string]

const MINUTES: Span = [MINUTE_MS, minutesText]
const SPANS: readonly Span[] = [
  [MONTH_MS, (whole) => plural(whole, { one: '# month', other: '# months' })],
  [DAY_MS, (whole) => plural(whole, { one: '# day', other: '# days' })],
  [HOUR_MS, (whole) => plural(whole, { one: '# hour', other: '# hours' })],
  MINUTES,
]

/** Returns what is left until `end`: "Ended", else the largest of months (30 days), days, hours, minutes, floored. */
export function timeRemaining(end: Date, now: Date): string {
  const leftMs = end.getTime() - now.getTime()
  if (leftMs <= 0) return t({ id: 'spec.ended', message: 'Ended' })
  for (const [spanMs, text] of SPANS) {
    const whole = Math.floor(leftMs / spanMs)
    if (whole >= 1) return text(whole)
  }
  return minutesText(1)
}

/** Returns how long something takes to come, rounded in its largest unit: floored, it would be announced too early. */
export function waitText(at: Date, now: Date): string {
  const leftMs = at.getTime() - now.getTime()
  if (leftMs < MINUTE_MS) return t`less than a minute`
  const [spanMs, text] = SPANS.find(([span]) => Math.round(leftMs / MINUTE_MS) * MINUTE_MS >= span) ?? MINUTES
  return text(Math.round(leftMs / spanMs))
}

function minutesText(whole: number): string {
  return plural(whole, { one: '# minute', other: '# minutes' })
}

export type DayMoment =
  | 'start'
  | 'end'
  | 'now'
  | { readonly hours: number; readonly minutes: number; readonly seconds: number }

/**
 * Returns a local ISO text without zone for the calendar day that `date` names in this browser: its start, its end, the
 * time now, or a given time.
 */
export function localIso(date: Date, moment: DayMoment, now: Date): string {
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${clockOfDay(moment, now)}`
}

/** Returns a UTC ISO text without milliseconds. */
export function utcIso(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}

/** Returns how long ago a time was, as lists show it: now, 2 min ago, 3 h ago, yesterday 14:02, then day and time. */
export function timeAgo(at: Date, now: Date): string {
  const pastMs = now.getTime() - at.getTime()
  if (Math.abs(pastMs) < MINUTE_MS) return t({ message: 'now', comment: 'when something happened' })
  const [minutes, hours] = [Math.floor(pastMs / MINUTE_MS), Math.floor(pastMs / HOUR_MS)]
  if (pastMs > 0 && pastMs < HOUR_MS) return t`${minutes} min ago`
  const [wall, wallNow] = [wallClock(at), wallClock(now)]
  if (pastMs > 0 && dayOf(wall) === dayOf(wallNow)) return t`${hours} h ago`
  const clock = hoursMinutes(wall)
  if (dayOf(wall) === dayOf(new Date(wallNow.getTime() - DAY_MS))) return t`yesterday ${clock}`
  return dayAndMinute(at)
}

/** The same within a sentence: "Accepted as paid just now". */
export function timeAgoInText(at: Date, now: Date): string {
  return Math.abs(now.getTime() - at.getTime()) < MINUTE_MS ? t`just now` : timeAgo(at, now)
}

type Age = readonly [unitMs: number, text: (whole: number) => string]

const SECONDS: Age = [1000, (whole) => t({ message: `${whole}\u00a0s`, comment: 'seconds, as short as can be' })]
const AGES: readonly Age[] = [
  [DAY_MS, (days) => t({ message: `${days}\u00a0d`, comment: 'days, as short as can be' })],
  [HOUR_MS, (hours) => t({ message: `${hours}\u00a0h`, comment: 'hours, as short as can be' })],
  [MINUTE_MS, (minutes) => t({ message: `${minutes}\u00a0min`, comment: 'minutes, as short as can be' })],
]

/** Returns how old something is in its largest unit, floored: 12 s, 4 min, 3 h, 2 d. A clock that runs ahead reads 0 s. */
export function ageText(at: Date, now: Date): string {
  const pastMs = Math.max(0, now.getTime() - at.getTime())
  const [unitMs, text] = AGES.find(([atLeastMs]) => pastMs >= atLeastMs) ?? SECONDS
  return text(Math.floor(pastMs / unitMs))
}

/** Returns when something happened, to the second, as a story shows it: 05:14:40 today, else with its day before it. */
export function clockTime(at: Date, now: Date): string {
  const wall = wallClock(at)
  const time = seconds(wall)
  return dayOf(wall) === dayOf(wallClock(now)) ? time : `${dayFormat().format(wall)}, ${time}`
}

/** Returns a moment as lists write it when it is long ago: 12 Nov 2026, 14:02. */
export function dayAndMinute(at: Date): string {
  const wall = wallClock(at)
  return `${dayFormat().format(wall)}, ${hoursMinutes(wall)}`
}

/** Returns a time with seconds and its zone, for details and tooltips. */
export function exactTime(at: Date): string {
  const wall = wallClock(at)
  return bidiIsolated(`${dayOf(wall)} ${seconds(wall)} ${zoneName(at, wall)}`)
}

function dayOf(wall: Date): string {
  return wall.toISOString().slice(0, 10)
}

function clockOfDay(moment: DayMoment, now: Date): string {
  if (moment === 'start') return '00:00:00'
  if (moment === 'end') return '23:59:59'
  if (moment === 'now') return seconds(wallClock(now))
  return `${two(moment.hours)}:${two(moment.minutes)}:${two(moment.seconds)}`
}

function seconds(wall: Date): string {
  return wall.toISOString().slice(11, 19)
}

function zoneName(at: Date, wall: Date): string {
  const minutes = Math.round((wall.getTime() - at.getTime()) / MINUTE_MS)
  if (minutes === 0) return 'UTC'
  const hours = Math.floor(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${two(rest)}`}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
