import type { GraphData } from '@kassa/contract/analytics/schemas.ts'
import { useQuery } from '@tanstack/react-query'

import { graphQuery } from '../../../api/analytics.ts'
import { Sparkline } from '../../../ui/charts/Sparkline.tsx'
import { totalsOf } from '../../../ui/charts/rules/series.ts'
import { DEFAULT_SPAN, filterOf, graphFilters } from '../filters/dashboard-filter.ts'
import { barChart } from '../../../labels/graphs/bar-chart.ts'
import { BarCard } from './BarCard.tsx'
import type { GraphAnswer, GraphCardProps } from './card.ts'
import { CardFrame } from './CardFrame.tsx'
import { InfoCard } from './InfoCard.tsx'
import { NumberCard } from './NumberCard.tsx'
import { ShareCard } from './ShareCard.tsx'
import { UnknownCard } from './UnknownCard.tsx'

/** One graph, whatever its state: loading, failed, empty, drawn. */
export function GraphCard(props: GraphCardProps) {
  const { projectId, group, graph, filters } = props
  const query = useQuery(graphQuery({ projectId, groupId: group.groupID, graphId: graph.id }, filters))
  const { data } = query
  if (data === undefined) return <CardFrame {...props} query={query} />
  return <Drawn {...props} query={query} data={data} />
}

function Drawn({ data, ...props }: GraphCardProps & { readonly query: GraphAnswer; readonly data: GraphData }) {
  switch (data.type) {
    case 'bar_graph':
      return <BarCard {...props} data={data} />
    case 'pie_with_info_graph':
      return <ShareCard {...props} data={data} />
    case 'number_graph':
      return <NumberCard {...props} data={data} />
    case 'info_graph':
      return <InfoCard {...props} data={data} />
    case 'table_graph':
    default:
      return <UnknownCard {...props} />
  }
}

/** The graph whose course this is. */
const PAYMENTS_IN_USD = { groupId: 2, graphId: 7 } as const

/** The course of the last 30 days, as the chart of payments in US dollars has it. */
export function FigureCourse({ projectId }: { projectId: string }) {
  const filters = graphFilters(filterOf({ date: DEFAULT_SPAN }), new Set([1, 2]), 'currency_code')
  const { data } = useQuery(graphQuery({ projectId, ...PAYMENTS_IN_USD }, filters))
  if (data?.type !== 'bar_graph') return null
  const { series, points } = barChart(data, 'currency_code')
  return <Sparkline values={totalsOf(series, points.length)} />
}
