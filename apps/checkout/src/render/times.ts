/** Prints the clock time of a moment, in the only zone a page without a script knows: "05:26 UTC". */
export function clockTime(at: Date): string {
  return `${at.toISOString().slice(11, 16)} UTC`
}

/** Prints day and clock time: "20 Nov 2026, 05:14 UTC". */
export function dayAndTime(at: Date): string {
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  return `${day.format(at)}, ${clockTime(at)}`
}
