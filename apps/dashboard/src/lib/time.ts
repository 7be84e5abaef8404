const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** The specification's month in a time-remaining text. */
const MONTH_MS = 30 * DAY_MS

const SPANS: readonly (readonly [string, number])[] = [
  ['month', MONTH_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
]

/** Returns what is left until `end`: "Ended", else the largest of months (30 days), days, hours, minutes, floored. */
export function timeRemaining(end: Date, now: Date): string {
  const leftMs = end.getTime() - now.getTime()
  if (leftMs <= 0) return 'Ended'
  for (const [name, spanMs] of SPANS) {
    const whole = Math.floor(leftMs / spanMs)
    if (whole >= 1) return plural(whole, name)
  }
  return plural(1, 'minute')
}

export type DayMoment =
  | 'start'
  | 'end'
  | 'now'
  | { readonly hours: number; readonly minutes: number; readonly seconds: number }

/** Returns a local ISO text without zone for the day of `date`: its start, its end, the time now, or a given time. */
export function localIso(date: Date, moment: DayMoment, now: Date): string {
  return `${localDay(date)}T${clock(moment, now)}`
}

/** Returns a UTC ISO text without milliseconds. */
export function utcIso(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}

/** Returns how long ago a time was, as lists show it: now, 2 min ago, 3 h ago, yesterday 14:02, then day and time. */
export function timeAgo(at: Date, now: Date): string {
  const pastMs = now.getTime() - at.getTime()
  if (Math.abs(pastMs) < MINUTE_MS) return 'now'
  if (pastMs > 0 && pastMs < HOUR_MS) return `${Math.floor(pastMs / MINUTE_MS)} min ago`
  if (pastMs > 0 && localDay(at) === localDay(now)) return `${Math.floor(pastMs / HOUR_MS)} h ago`
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (localDay(at) === localDay(yesterday)) return `yesterday ${hoursMinutes(at)}`
  return `${dayText.format(at)}, ${hoursMinutes(at)}`
}

const AGES: readonly (readonly [string, number])[] = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', MINUTE_MS],
]

/** Returns how old something is in its largest unit, floored: 12 s, 4 min, 3 h, 2 d. A clock that runs ahead reads 0 s. */
export function ageText(at: Date, now: Date): string {
  const pastMs = Math.max(0, now.getTime() - at.getTime())
  const [name, spanMs] = AGES.find(([, unitMs]) => pastMs >= unitMs) ?? ['s', 1000]
  return `${Math.floor(pastMs / spanMs)}\u00a0${name}`
}

/** Returns when something happened, to the second, as a story shows it: 05:14:40 today, else with its day before it. */
export function clockTime(at: Date, now: Date): string {
  const time = clock('now', at)
  return localDay(at) === localDay(now) ? time : `${dayText.format(at)}, ${time}`
}

/** Returns a time with seconds and its zone, for details and tooltips. */
export function exactTime(at: Date): string {
  return `${localDay(at)} ${clock('now', at)} ${zoneName(at)}`
}

const dayText = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

function plural(value: number, name: string): string {
  return `${value} ${name}${value === 1 ? '' : 's'}`
}

function localDay(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function clock(moment: DayMoment, now: Date): string {
  if (moment === 'start') return '00:00:00'
  if (moment === 'end') return '23:59:59'
  if (moment === 'now') return `${hoursMinutes(now)}:${two(now.getSeconds())}`
  return `${two(moment.hours)}:${two(moment.minutes)}:${two(moment.seconds)}`
}

function hoursMinutes(date: Date): string {
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

function zoneName(date: Date): string {
  const minutes = -date.getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const hours = Math.floor(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${two(rest)}`}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
