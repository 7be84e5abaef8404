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
import { filterOf, groupingOf } from './filters/dashboard-filter.ts'
import { type Arrangement, inOrder, moved } from './groups/arrangement.ts'
import { GroupCard } from './groups/GroupCard.tsx'
import { GroupMenu } from './groups/GroupMenu.tsx'
import { GroupsLoading } from './groups/GroupsLoading.tsx'
import { MissingCards, NumberTiles } from './groups/NumberTiles.tsx'
import { TransactionTable } from './groups/TransactionTable.tsx'
import { filtersOf, useAskedGraphs } from './groups/use-graphs.ts'
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
      filters: filtersOf(group, graph, filter, groupingOf(search, group.groupID)),
    })),
  )
  const failed = useAskedGraphs(projectId, asked)
  const arrange = (changes: readonly Arrangement[]) => {
    arrangeGroups(changes).catch((thrown: unknown) => toast.error(asRequestError(thrown).message))
  }
  return (
    <>
      <MissingCards failed={failed} total={asked.length} />
      <div className="grid gap-4 lg:grid-cols-3 lg:gap-5">
        {seen.map((group, index) => {
          const { name } = group.analyticsGroup
          const menu = (
            <GroupMenu
              name={name}
              isFirst={index === 0}
              isLast={index === seen.length - 1}
              onMove={(by) => arrange(moved(groups, group.groupID, by))}
              onHide={() => arrange([{ groupId: group.groupID, visible: false }])}
            />
          )
          return (
            <div key={group.groupID} className={widthOf(group)}>
              {isOfNumbers(group) ? (
                <NumberTiles
                  projectId={projectId}
                  groupId={group.groupID}
                  name={name}
                  menu={menu}
                  graphs={graphsOf(group)}
                  filters={{}}
                />
              ) : isOfTables(group) ? (
                graphsOf(group).map((graph) => (
                  <TransactionTable
                    key={graph.id}
                    projectId={projectId}
                    groupId={group.groupID}
                    graph={graph}
                    menu={menu}
                  />
                ))
              ) : (
                <GroupCard projectId={projectId} group={group} filter={filter} menu={menu} />
              )}
            </div>
          )
        })}
      </div>
      <HiddenGroups groups={hidden} onShow={(groupId) => arrange([{ groupId, visible: true }])} />
    </>
  )
}

/** Groups that were put away, each with the way back. */
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

function isOfNumbers(group: UserGroup): boolean {
  return group.analyticsGroup.graphs.every(({ graphType }) => graphType === 'number_graph')
}

function isOfTables(group: UserGroup): boolean {
  return group.analyticsGroup.graphs.every(({ graphType }) => graphType === 'table_graph')
}

/** Charts over time take two of three columns, tables and rows of numbers all. */
function widthOf(group: UserGroup): string {
  const types = new Set(group.analyticsGroup.graphs.map(({ graphType }) => graphType))
  if (types.has('bar_graph')) return 'flex *:min-w-0 *:flex-1 lg:col-span-2'
  return isOfTables(group) || isOfNumbers(group) ? 'lg:col-span-3' : 'flex *:min-w-0 *:flex-1'
}
