import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { growthFigureQuery } from '../../../api/growth.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { AsOfText } from '../../../labels/graphs/AsOfText.tsx'
import { barChart, barRows } from '../../../labels/graphs/bar-chart.ts'
import { fileName } from '../../../labels/graphs/graph-file.ts'
import { barSummary } from '../../../labels/graphs/summaries.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { operatorZone } from '../../../lib/time/time-zone.ts'
import { SpanChart } from './SpanChart.tsx'
import { SpanSelect, spanOf } from './SpanSelect.tsx'

/** What promoters and invitees were given, over time. */
export function RewardsChart({ projectId }: { projectId: string }) {
  const [search] = useSearchState()
  const filters = { analytics_date_filter: spanOf(search), timezone: operatorZone() }
  const { data, error, refetch } = useQuery(growthFigureQuery(projectId, 'reward_series', filters))
  const graph = data?.type === 'bar_graph' ? data : undefined
  const chart = graph && barChart(graph, 'currency_code')
  const name = t`Rewards over time`
  return (
    <SpanChart
      name={name}
      summary={chart === undefined ? '' : barSummary(chart)}
      chart={chart && { points: chart.points, series: chart.series, measure: chart.figures }}
      error={error === null ? null : asRequestError(error)}
      onRetry={() => void refetch()}
      rows={(options) => (graph === undefined ? { head: [], rows: [] } : barRows(graph, 'currency_code', options))}
      fileName={graph === undefined ? '' : fileName(name, projectId, graph)}
      empty={<Trans>No rewards in this period.</Trans>}
      tools={<SpanSelect />}
      foot={<AsOfText asOf={graph?.asOf} counted={null} />}
    />
  )
}
