/** A bar, or a point of a line, by its place in time. */
export type ChartPoint = {
  /** The same bucket has the same key, however often it is read. */
  readonly key: string
  /** Below the axis: "6 Apr". */
  readonly label: string
  /** In full, as it is spoken: "Monday, 6 April 2026". */
  readonly name: string
  /** Still filling: drawn hatched. */
  readonly isCurrent?: boolean | undefined
}

/** What is drawn in one colour: a whole number per point, in the smallest unit of its measure. */
export type ChartSeries = {
  readonly key: string
  readonly name: string
  /** As the server asks for it; the palette's next one otherwise. */
  readonly color?: string | undefined
  readonly values: readonly bigint[]
}

/** How figures of a chart are written. */
export type Measure = {
  /** In full: "$1,234.56". */
  readonly text: (units: bigint) => string
  /** At the axis, as short as can be: "$1.2K". */
  readonly tick: (units: bigint) => string
}

/** The palette has six colours and one for all others (screens.md 1.5). */
export const MOST_SERIES = 6

/** The key of what is drawn as "Other". */
export const OTHER = 'other'

/**
 * Returns the series of a chart, the largest first, those beyond six added up as one. What sums up to nothing is left out
 * as long as something else is there.
 */
export function topSeries(series: readonly ChartSeries[], otherName: string): readonly ChartSeries[] {
  const withMoney = series.filter(({ values }) => totalOf(values) > 0n)
  const shown = withMoney.length === 0 ? series.slice(0, 1) : withMoney
  const ranked = shown.toSorted((a, b) => compare(totalOf(b.values), totalOf(a.values)))
  if (ranked.length <= MOST_SERIES) return ranked
  const [top, rest] = [ranked.slice(0, MOST_SERIES), ranked.slice(MOST_SERIES)]
  const length = Math.max(...rest.map(({ values }) => values.length))
  const values = Array.from({ length }, (_, index) => totalOf(rest.map((one) => one.values[index] ?? 0n)))
  return [...top, { key: OTHER, name: otherName, values }]
}

/** Returns the sum of figures. */
export function totalOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n)
}

/** Returns what each point has in all the series together. */
export function totalsOf(series: readonly ChartSeries[], points: number): readonly bigint[] {
  return Array.from({ length: points }, (_, index) => totalOf(series.map(({ values }) => values[index] ?? 0n)))
}

/** Returns the place of the largest figure, the latest of equal ones; -1 where nothing is above zero. */
export function highestOf(totals: readonly bigint[]): number {
  return totals.reduce((best, value, index) => (value > 0n && value >= (totals[best] ?? 0n) ? index : best), -1)
}

/** Orders whole numbers of any size. */
export function compare(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
