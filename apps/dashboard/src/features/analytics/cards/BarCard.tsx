import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { paths } from '../../../lib/paths.ts'
import { TimeChart } from '../../../ui/charts/TimeChart.tsx'
import { OTHER, topSeries } from '../../../ui/charts/rules/series.ts'
import type { Grouping } from '../../../labels/graphs/grouping.ts'
import { barChart, barRows, isCode } from '../../../labels/graphs/bar-chart.ts'
import { countedOf, paidWithin } from '../reading/drill-down.ts'
import { NoPayments } from '../reading/NoPayments.tsx'
import { chartHeight } from '../reading/graph-sizes.ts'
import { barSummary } from '../../../labels/graphs/summaries.ts'
import { CardFrame } from './CardFrame.tsx'
import type { DrawnProps } from './card.ts'

/** In full screen a chart is as high as a window leaves it. */
const LARGE_PX = 440

/** Figures over time; each bar leads to the payments whose money it is. */
export function BarCard(props: DrawnProps<'bar_graph'>) {
  const { projectId, graph, place, data, grouping, asset, marked, onMark } = props
  const chart = barChart(data, grouping)
  const series = topSeries(chart.series, t`Other`)
  const hrefOf = (point: number, key: string | undefined) => {
    const bar = data.data[point]
    const paid = bar === undefined ? '' : paidWithin(countedOf({ from: bar.at, until: bar.until }, data))
    return paths.payments({ projectId }, { paid, asset, ...seriesFilter(key, grouping) })
  }
  return (
    <CardFrame
      {...props}
      summary={barSummary(chart)}
      rows={(options) => barRows(data, grouping, options)}
      hasFullScreen
    >
      {(isLarge) => (
        <TimeChart
          name={graph.name}
          points={chart.points}
          series={series}
          measure={chart.figures}
          before={chart.before}
          hrefOf={hrefOf}
          hrefName={t`Press to see the payments`}
          height={isLarge ? LARGE_PX : chartHeight(place)}
          marked={marked}
          onMark={onMark}
          empty={
            place === 0 ? (
              <NoPayments projectId={projectId}>
                <Trans>No payments in this period.</Trans>
              </NoPayments>
            ) : (
              <Trans>No payments in this period.</Trans>
            )
          }
        />
      )}
    </CardFrame>
  )
}

/** What narrows the payments to those of a series; customers and the rest of all series are no filter. */
export function seriesFilter(key: string | undefined, grouping: Grouping): Readonly<Record<string, string>> {
  if (key === undefined || key === OTHER || !isCode(key)) return {}
  return grouping === 'blockchain_code' ? { network: key } : { asset: key }
}
