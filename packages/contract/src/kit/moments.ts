/** Times as lists accept them (api.md 1.1): RFC 3339, a local time, or a day, the latter two in the request's zone. */
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i

const MS_OF_DAY = 86_400_000
const LAST_MS = 999

/**
 * Reads a time. A day alone is its first millisecond, or its last one when it ends a range, as does a second (23:59:59 ends its
 * day, in every zone). Null when the text is no time or the zone is unknown.
 */
export function readMoment(text: string, { timezone = 'UTC', isEnd = false } = {}): Date | null {
  const match = MOMENT.exec(text.trim())
  if (!match) return null
  const [, year, month, day, hour, minute, second, fraction, zone] = match
  const isWholeSecond = isEnd && second !== undefined && fraction === undefined
  const ms = isWholeSecond ? LAST_MS : Number((fraction ?? '').padEnd(3, '0').slice(0, 3))
  const date = [Number(year), Number(month) - 1, Number(day)] as const
  const local = Date.UTC(...date, Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0), ms)
  // 30 February and 25 o'clock would roll over to other times, so they are refused.
  const written = `${year}-${month}-${day}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}`
  if (!new Date(local).toISOString().startsWith(written)) return null
  if (zone) return new Date(local - offsetOf(zone))
  // A day ends before the first moment of the next one.
  const isLastDay = hour === undefined && isEnd
  const shifted = inZone(isLastDay ? local + MS_OF_DAY : local, { timezone, isEnd: isEnd && !isLastDay })
  if (shifted === null) return null
  return new Date(isLastDay ? shifted - 1 : shifted)
}

function offsetOf(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))]
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/**
 * The instant at which clocks of the zone show `local`. Of a time that they show twice a range begins with the first and ends with
 * the last; of one that they skip it begins with the change, and ends before it.
 */
function inZone(local: number, { timezone, isEnd }: { timezone: string; isEnd: boolean }): number | null {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' })
    // Clocks change at most once in these two days.
    const [before, after] = [zoneOffset(format, local - MS_OF_DAY), zoneOffset(format, local + MS_OF_DAY)]
    const exact = [before, after].map((offset) => local - offset).filter((at) => at + zoneOffset(format, at) === local)
    if (exact.length > 0) return isEnd ? Math.max(...exact) : Math.min(...exact)
    return local - (isEnd ? after : before)
  } catch {
    return null
  }
}

function zoneOffset(format: Intl.DateTimeFormat, at: number): number {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return name === 'GMT' ? 0 : offsetOf(name.slice(3))
}
