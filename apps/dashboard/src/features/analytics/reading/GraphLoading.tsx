import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { chartHeight } from './graph-sizes.ts'
import type { Graph } from './graphs.ts'

/** The shape of a graph that is on its way, as high as it will be. */
export function GraphLoading({ graph: { graphType, name }, place }: { graph: Graph; place: number }) {
  return (
    <div className="flex flex-col gap-3" style={{ minHeight: `${shapeHeight(graphType, place)}px` }}>
      <Skeleton width="40%" height={18} />
      {graphType === 'bar_graph' && <Skeleton height={chartHeight(place)} />}
      {graphType === 'pie_with_info_graph' && <Skeleton height={24} />}
      {graphType !== 'bar_graph' && graphType !== 'number_graph' && (
        <>
          <Skeleton height={16} />
          <Skeleton height={16} width="85%" />
          <Skeleton height={16} width="70%" />
        </>
      )}
      <LoadingText text={name} />
    </div>
  )
}

function shapeHeight(graphType: Graph['graphType'], place: number): number {
  if (graphType === 'bar_graph') return chartHeight(place) + 116
  return graphType === 'number_graph' ? 84 : 150
}
