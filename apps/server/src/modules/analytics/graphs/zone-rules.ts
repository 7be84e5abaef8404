/** Days of a time zone: those on which clocks change have 23, 25 or 23.5 hours, and some have no midnight. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** What the clock and calendar of a zone show; `month` from 1, `weekday` from 0 for Sunday. */
export type Wall = {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly weekday: number
}

export type Zone = {
  readonly name: string
  /** What its clocks show at a moment. */
  readonly wallAt: (at: Date) => Wall
  /** The first moment of a day; months and days beyond their range roll over. */
  readonly startOf: (year: number, month: number, day: number) => Date
}

/** Makes the clock of a zone; null when there is none of this name. */
export function zoneOf(name: string): Zone | null {
  const offsetAt = offsetsOf(name)
  if (!offsetAt) return null
  return {
    name,
    wallAt: (at) => {
      const local = new Date(at.getTime() + offsetAt(at.getTime()))
      return {
        year: local.getUTCFullYear(),
        month: local.getUTCMonth() + 1,
        day: local.getUTCDate(),
        hour: local.getUTCHours(),
        minute: local.getUTCMinutes(),
        weekday: local.getUTCDay(),
      }
    },
    startOf: (year, month, day) => {
      const local = Date.UTC(year, month - 1, day)
      // Clocks change at most once in these two days, so the moment has one of these two offsets.
      const [before, after] = [offsetAt(local - DAY_MS), offsetAt(local + DAY_MS)]
      const exact = [before, after].map((offset) => local - offset).filter((at) => at + offsetAt(at) === local)
      // The clock skips this midnight: the day begins with the change.
      return new Date(exact.length > 0 ? Math.min(...exact) : local - before)
    },
  }
}

/**
 * The offset of a zone at a moment, in milliseconds; remembered by the quarter of an hour, because a graph asks for the same
 * ones often.
 */
function offsetsOf(name: string): ((at: number) => number) | null {
  const format = formatOf(name)
  if (!format) return null
  const known = new Map<number, number>()
  return (at) => {
    const quarter = Math.floor(at / (HOUR_MS / 4))
    const offset = known.get(quarter) ?? readOffset(format, at)
    known.set(quarter, offset)
    return offset
  }
}

/** Accepts IANA names only: an offset such as `+03:00` has no clock changes, and runtimes differ in it. */
function formatOf(name: string): Intl.DateTimeFormat | null {
  if (!/^[A-Za-z]/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  } catch {
    return null
  }
}

function readOffset(format: Intl.DateTimeFormat, at: number): number {
  const text = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours = '0', minutes = '0'] = /^GMT([+-])(\d\d):(\d\d)/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * 60_000)
}
