import { t } from '@lingui/core/macro'

import { bidiIsolated } from '../../lib/text/bidi.ts'
import { highestOf, totalsOf } from '../../ui/charts/rules/series.ts'
import { type BarChart, sumOf } from './bar-chart.ts'

/** Returns what a chart over time says in one sentence: "$84,112.00 in total, highest Nov 12: $9,000.00". */
export function barSummary(chart: BarChart): string {
  const { points, series, figures, isAdditive } = chart
  const totals = totalsOf(series, points.length)
  const [sum, best] = [figures.text(sumOf(chart)), highestOf(totals)]
  const point = points[best]
  if (point === undefined) return isAdditive ? sum : ''
  const [when, most] = [bidiIsolated(point.label), figures.text(totals[best] ?? 0n)]
  if (!isAdditive) return t`Highest ${when}: ${most}`
  return points.length === 1 ? sum : t`${sum} in total, highest ${when}: ${most}`
}
