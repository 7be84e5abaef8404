import { t } from '@lingui/core/macro'

import { highestOf, totalsOf } from '../../../ui/charts/rules/series.ts'
import { type BarChart, sumOf } from './bar-chart.ts'

/** Returns what a chart over time says in one sentence: "$84,112.00, highest on Monday, 6 April 2026: $9,000.00". */
export function barSummary(chart: BarChart): string {
  const { points, series, figures } = chart
  const totals = totalsOf(series, points.length)
  const [sum, best] = [figures.text(sumOf(chart)), highestOf(totals)]
  const point = points[best]
  if (point === undefined || points.length < 2) return sum
  const [when, most] = [point.name, figures.text(totals[best] ?? 0n)]
  return t`${sum} in total, most: ${when}, ${most}`
}
