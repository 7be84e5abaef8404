import type { CSSProperties } from 'react'

import type { TimeAxis } from './rules/time-axis.ts'
import type { ValueAxis } from './rules/value-axis.ts'
import type { ChartPoint, ChartSeries } from './rules/series.ts'

/** One series with the colour it is drawn in and its place among all, hidden ones counted. */
export type Painted = ChartSeries & {
  readonly paint: string
  /** The id of the pattern that stands for the colour where there are none. */
  readonly pattern: string
  readonly place: number
}

/** What marks are drawn from. */
export type MarksProps = {
  readonly chart: string
  readonly points: readonly ChartPoint[]
  readonly series: readonly Painted[]
  readonly time: TimeAxis
  readonly value: ValueAxis
  readonly height: number
  /** The sums of the period before, drawn behind. */
  readonly before?: readonly bigint[] | undefined
  /** The point that is read. */
  readonly read?: number | undefined
}

/** One series at one point: from its lower to its upper edge. */
export type Layer = { readonly from: number; readonly to: number }

/** Returns where each series lies at each point, one on top of the other, in pixels from the top. */
export function layersOf({ series, points, value, height }: MarksProps): readonly (readonly Layer[])[] {
  const sums = points.map(() => 0n)
  return series.map(({ values }) =>
    points.map((_, index) => {
      const below = sums[index] ?? 0n
      const above = below + (values[index] ?? 0n)
      sums[index] = above
      return { from: height * (1 - value.placeOf(below)), to: height * (1 - value.placeOf(above)) }
    }),
  )
}

/** Styles with the colours of marks, which the style sheet reads. */
export type MarkStyle = CSSProperties & { readonly '--mark': string; readonly '--mark-pattern'?: string }

/** The colour of a mark, and the pattern that stands for it where there are no colours. */
export function markStyle(paint: string, pattern?: string): MarkStyle {
  return { '--mark': paint, ...(pattern !== undefined && { '--mark-pattern': `url(#${pattern})` }) }
}
