import type { UserGroup } from '@kassa/contract/analytics/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { groupsQuery, useArrangeGroups } from '../../api/analytics.ts'
import { asRequestError } from '../../api/request-error.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Card } from '../../ui/places/Card.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { filterOf, graphFilters, groupingOf } from './filters/dashboard-filter.ts'
import { type Arrangement, inOrder, moved, rowsOf, shapeOf } from './groups/arrangement.ts'
import { GroupCard } from './groups/GroupCard.tsx'
import { GroupMenu } from './groups/GroupMenu.tsx'
import { GroupsLoading } from './groups/GroupsLoading.tsx'
import { MissingCards, NumberTiles } from './groups/NumberTiles.tsx'
import { TransactionTable } from './groups/TransactionTable.tsx'
import { filtersOf, listedBy, useAskedGraphs } from './groups/use-graphs.ts'
import { graphsOf } from './reading/graphs.ts'

/** Figures and charts of a project's money, in the order in which this operator arranged them. */
export function Analytics({ projectId }: { projectId: string }) {
  const { data: groups, error, refetch } = useQuery(groupsQuery(projectId))
  if (groups !== undefined) return <Groups key={projectId} projectId={projectId} groups={groups} />
  if (error === null) return <GroupsLoading />
  return (
    <Card flush>
      <ErrorState
        title={t`The figures couldn’t be loaded`}
        error={asRequestError(error)}
        onRetry={() => void refetch()}
      />
    </Card>
  )
}

function Groups({ projectId, groups }: { projectId: string; groups: readonly UserGroup[] }) {
  const [search] = useSearchState()
  const arrangeGroups = useArrangeGroups(projectId)
  const filter = filterOf(search)
  const ordered = inOrder(groups)
  const [seen, hidden] = [ordered.filter(({ visible }) => visible), ordered.filter(({ visible }) => !visible)]
  const asked = seen.flatMap((group) =>
    graphsOf(group).map((graph) => ({
      groupId: group.groupID,
      graph,
      filters: filtersOf(group, graph, filter, groupingOf(search, group)),
    })),
  )
  const failed = useAskedGraphs(projectId, asked)
  const arrange = (changes: readonly Arrangement[]) => {
    arrangeGroups(changes).catch((thrown: unknown) => toast.error(asRequestError(thrown).message))
  }
  const cardOf = (group: UserGroup) => {
    const { groupID: groupId, analyticsGroup } = group
    const index = seen.indexOf(group)
    const menu = (
      <GroupMenu
        name={analyticsGroup.name}
        isFirst={index === 0}
        isLast={index === seen.length - 1}
        onMove={(by) => arrange(moved(groups, groupId, by))}
        onHide={() => arrange([{ groupId, visible: false }])}
      />
    )
    const place = { projectId, groupId, menu }
    const [list] = graphsOf(group)
    switch (shapeOf(group)) {
      case 'numbers':
        return (
          <NumberTiles
            key={groupId}
            {...place}
            name={analyticsGroup.name}
            graphs={graphsOf(group)}
            filters={graphFilters(filter, listedBy(group), groupingOf(search, group))}
          />
        )
      case 'list':
        return list && <TransactionTable key={groupId} {...place} graph={list} />
      case 'wide':
      case 'narrow':
      default:
        return (
          <GroupCard
            key={groupId}
            projectId={projectId}
            group={group}
            filter={filter}
            menu={menu}
            onArrange={arrange}
          />
        )
    }
  }
  return (
    <>
      <MissingCards failed={failed} total={asked.length} />
      <div className="flex flex-col gap-4 lg:gap-5">
        {rowsOf(seen).map(({ main, beside }) => (
          <div
            key={(main ?? beside[0])?.groupID}
            className={beside.length > 0 ? 'grid gap-4 lg:grid-cols-3 lg:gap-5' : ''}
          >
            {main !== null && <div className="flex *:min-w-0 *:flex-1 lg:col-span-2">{cardOf(main)}</div>}
            {beside.length > 0 && (
              <div
                className={
                  main === null
                    ? 'grid gap-4 *:min-w-0 lg:col-span-3 lg:grid-flow-col lg:auto-cols-fr lg:gap-5'
                    : 'flex flex-col gap-4 *:min-w-0 *:flex-1 lg:gap-5'
                }
              >
                {beside.map(cardOf)}
              </div>
            )}
          </div>
        ))}
      </div>
      <HiddenGroups groups={hidden} onShow={(groupId) => arrange([{ groupId, visible: true }])} />
    </>
  )
}

/** Hidden groups, each with a button that shows it again. */
function HiddenGroups({ groups, onShow }: { groups: readonly UserGroup[]; onShow: (groupId: number) => void }) {
  if (groups.length === 0) return null
  return (
    <section aria-label={t`Hidden`} className="flex flex-wrap items-center gap-2 text-dense text-muted">
      <Trans>Hidden:</Trans>
      {groups.map(({ groupID, analyticsGroup: { name } }) => (
        <Button key={groupID} kind="quiet" size="small" onClick={() => onShow(groupID)}>
          <Trans>Show {name}</Trans>
        </Button>
      ))}
    </section>
  )
}
