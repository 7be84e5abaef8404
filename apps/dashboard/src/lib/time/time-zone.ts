import { readOfAccount, useOfAccount } from '../device/stored.ts'
import { chooseDisplay } from '../display/display.ts'

/** Where times are shown and days begin: the zone that was chosen, else the browser's. */
const ENTRY = 'timeZone'

const DAY_MS = 86_400_000

/** The choice of whatever zone the browser has. */
const OF_BROWSER = 'system'

/** Returns the zone of the browser. */
export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Returns the zones that can be chosen, by name. */
export function timeZones(): readonly string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted()
}

/** Returns the chosen zone, or undefined while the browser's holds; a zone this browser does not know is none. */
function chosenZone(): string | undefined {
  return known(readOfAccount(ENTRY))
}

/** The same for what is drawn. */
export function useChosenZone(): string | undefined {
  return known(useOfAccount(ENTRY))
}

/** Chooses a zone; `undefined` goes back to the browser's. */
export function chooseZone(zone: string | undefined): void {
  chooseDisplay({ timeZone: zone ?? OF_BROWSER })
}

/** Returns the zone of the operator's clock, with which the server reads local times. */
export function operatorZone(): string {
  return chosenZone() ?? browserZone()
}

/** Returns what the operator's clock shows at a moment, as a date whose UTC parts are that clock's. */
export function wallClock(at: Date): Date {
  const zone = chosenZone()
  if (zone === undefined) return new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  const parts = new Map(
    partsIn(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const [year, month, day] = [part('year'), part('month'), part('day')]
  return new Date(Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second'), at.getUTCMilliseconds()))
}

/**
 * Returns the moment at which the operator's clock shows a time: the reverse of `wallClock`. Of a time that it shows twice, the
 * first; of one that it skips, as long after the change.
 */
export function momentOf(wall: Date): Date {
  const local = wall.getTime()
  const shift = (at: number) => wallClock(new Date(at)).getTime() - at
  // Clocks change at most once in these two days.
  const [before, after] = [shift(local - DAY_MS), shift(local + DAY_MS)]
  const exact = [before, after].map((one) => local - one).filter((at) => at + shift(at) === local)
  return new Date(exact.length > 0 ? Math.min(...exact) : local - before)
}

const formats = new Map<string, Intl.DateTimeFormat>()

function partsIn(zone: string): Intl.DateTimeFormat {
  const found = formats.get(zone)
  if (found !== undefined) return found
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, made)
  return made
}

function known(zone: string | undefined): string | undefined {
  if (zone === undefined || zone === OF_BROWSER) return undefined
  try {
    partsIn(zone)
    return zone
  } catch {
    return undefined
  }
}
