/** What is read of a chart: a point, and one of its series or all of them together. */
export type Reading = {
  readonly point: number
  /** Absent: the sum of all series. */
  readonly series: number | undefined
}

export type Extent = { readonly points: number; readonly series: number }

/**
 * Returns what a key leads to from what is read; `undefined` for a key that is none of a chart's. Left is earlier in every
 * language, as time runs from left to right in every chart. Up and down go through the sum and the series, in the order of
 * the legend.
 */
export function readingAfter(key: string, now: Reading | undefined, { points, series }: Extent): Reading | undefined {
  if (points === 0) return undefined
  const last = points - 1
  const { point, series: one } = now ?? { point: last, series: undefined }
  // The first key of all opens the chart at its newest point.
  const isFirst = now === undefined
  switch (key) {
    case 'ArrowLeft':
      return { point: isFirst ? last : Math.max(0, point - 1), series: one }
    case 'ArrowRight':
      return { point: isFirst ? last : Math.min(last, point + 1), series: one }
    case 'Home':
      return { point: 0, series: one }
    case 'End':
      return { point: last, series: one }
    case 'ArrowDown':
      return { point, series: nextSeries(one, series, 1) }
    case 'ArrowUp':
      return { point, series: nextSeries(one, series, -1) }
    default:
      return undefined
  }
}

/** The sum stands before the first series and after the last; one series alone is its own sum. */
function nextSeries(now: number | undefined, series: number, by: 1 | -1): number | undefined {
  if (series < 2) return undefined
  const places = series + 1
  const next = ((now === undefined ? 0 : now + 1) + by + places) % places
  return next === 0 ? undefined : next - 1
}
