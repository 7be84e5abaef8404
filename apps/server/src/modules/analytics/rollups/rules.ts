/** The cells of roll-ups: quarters of an hour, and longer ones so that a long span needs few rows. */

export const QUARTER_MS = 900_000

/**
 * Lengths of cells in quarters of an hour, longest first: 30 days, a day, 6 hours, an hour, a quarter. Each is a multiple of
 * the next. Time zones have offsets of 30 and 45 minutes, so days of any zone are sums of quarters.
 */
export const LEVELS = [2880, 96, 24, 4, 1] as const

/** Lengths of cells of times to finality in days of UTC, longest first. */
export const FINALITY_LEVELS = [64, 8, 1] as const

/** A range of moments: from the first one to before the last. */
export type Moments = { readonly from: Date; readonly until: Date }

/** Cells of one level, from the first slot to before the last. */
export type Cells = { readonly level: number; readonly from: number; readonly until: number }

/** The quarter of an hour that a moment lies in, counted from 1970. */
export function slotOf(at: Date): number {
  return Math.floor(at.getTime() / QUARTER_MS)
}

/** The first moment of a quarter. */
export function momentOf(slot: number): Date {
  return new Date(slot * QUARTER_MS)
}

/**
 * Splits a span into its whole quarters of an hour, and the parts before and after them, which must be counted row by row. A
 * span without a whole quarter is counted row by row completely.
 */
export function splitSpan({ from, until }: Moments): { first: number; last: number; edges: Moments[] } {
  const first = Math.ceil(from.getTime() / QUARTER_MS)
  const last = slotOf(until)
  if (first >= last) return { first, last: first, edges: from < until ? [{ from, until }] : [] }
  const [begin, end] = [momentOf(first), momentOf(last)]
  return {
    first,
    last,
    edges: [...(from < begin ? [{ from, until: begin }] : []), ...(end < until ? [{ from: end, until }] : [])],
  }
}

/** Covers quarters, from the first to before the last, with the longest cells that fit: few ranges, each of one level. */
export function cellsOf(first: number, last: number, levels: readonly number[] = LEVELS): Cells[] {
  const [level, ...shorter] = levels
  if (level === undefined || first >= last) return []
  const from = Math.ceil(first / level) * level
  const until = Math.floor(last / level) * level
  if (from >= until) return cellsOf(first, last, shorter)
  return [...cellsOf(first, from, shorter), { level, from, until }, ...cellsOf(until, last, shorter)]
}
