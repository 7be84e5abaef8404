import type { UserGroup } from '@kassa/contract/analytics/schemas.ts'
import { t } from '@lingui/core/macro'
import { type ReactNode, Suspense, useState } from 'react'

import { useSearchState } from '../../../lib/navigation/search.ts'
import { InlineSelect } from '../../../ui/fields/InlineSelect.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { lazyPart } from '../../../ui/overlays/lazy-load.ts'
import {
  type DashboardFilter,
  groupingKey,
  groupingOf,
  groupingWord,
  withGrouping,
} from '../filters/dashboard-filter.ts'
import { GraphLoading } from '../reading/GraphLoading.tsx'
import { graphsOf } from '../reading/graphs.ts'
import type { Arrangement } from './arrangement.ts'
import { AsOf } from './AsOf.tsx'
import { filtersOf, listedBy } from './use-graphs.ts'

const GraphCard = lazyPart(async () => ({ default: (await import('../cards/GraphCard.tsx')).GraphCard }))

export type GroupCardProps = {
  readonly projectId: string
  readonly group: UserGroup
  readonly filter: DashboardFilter
  readonly menu: ReactNode
  /** Stores how this operator sees a group. */
  readonly onArrange: (changes: readonly Arrangement[]) => void
}

/** A group of graphs with what it is divided by; what draws them comes later, and keeps its place until then. */
export function GroupCard({ projectId, group, filter, menu, onArrange }: GroupCardProps) {
  const [search, setSearch] = useSearchState()
  const [marked, setMarked] = useState<number>()
  const { groupID: groupId } = group
  const grouping = groupingOf(search, group)
  const { name } = group.analyticsGroup
  const graphs = graphsOf(group)
  const isDivided = listedBy(group).has(2) || listedBy(group).has(4)
  return (
    <Card
      title={name}
      fills
      actions={
        <div className="-my-1.5 flex items-center gap-1">
          {isDivided && (
            <InlineSelect
              label={t`${name} by`}
              value={grouping}
              options={[
                { value: 'currency_code', label: t`Asset` },
                { value: 'blockchain_code', label: t`Network` },
              ]}
              onChange={(value) => {
                const chosen = value === 'blockchain_code' ? value : 'currency_code'
                setSearch({ [groupingKey(groupId)]: groupingWord(chosen) })
                onArrange([{ groupId, customFilters: withGrouping(group, chosen) }])
              }}
            />
          )}
          {menu}
        </div>
      }
    >
      <div className="flex h-full flex-col gap-6">
        {graphs.map((graph, place) => (
          <Suspense key={graph.id} fallback={<GraphLoading graph={graph} place={place} />}>
            <GraphCard
              projectId={projectId}
              group={group}
              graph={graph}
              place={place}
              isAlone={graphs.length === 1}
              filters={filtersOf(group, graph, filter, grouping)}
              grouping={grouping}
              asset={filter.asset}
              marked={marked}
              onMark={setMarked}
            />
          </Suspense>
        ))}
        <div className="mt-auto -mb-2">
          <AsOf
            projectId={projectId}
            groupId={groupId}
            asked={graphs.map((graph) => ({
              graphId: graph.id,
              filters: filtersOf(group, graph, filter, grouping),
            }))}
          />
        </div>
      </div>
    </Card>
  )
}
