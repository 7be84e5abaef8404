import type { FilterId } from '@kassa/contract/analytics/groups.ts'
import type { GraphFilters } from '@kassa/contract/analytics/inputs.ts'
import type { UserGroup } from '@kassa/contract/analytics/schemas.ts'
import { useQueries } from '@tanstack/react-query'

import { graphQuery } from '../../../api/analytics.ts'
import type { Grouping } from '../../../labels/graphs/grouping.ts'
import type { Graph } from '../reading/graphs.ts'
import { type DashboardFilter, graphFilters } from '../filters/dashboard-filter.ts'

/** As many deposits as one sees without scrolling. */
export const NEWEST = 5

/** What moves with the clock alone, such as the last 30 days, is read again after so long. */
const LOOK_MS = 300_000

/** Returns what a graph is asked with on this page. */
export function filtersOf(group: UserGroup, graph: Graph, filter: DashboardFilter, grouping: Grouping): GraphFilters {
  if (graph.graphType === 'table_graph') return { limit: NEWEST }
  return graphFilters(filter, listedBy(group), grouping)
}

/** Returns the filters a group offers, by id. */
export function listedBy({ analyticsGroup }: UserGroup): ReadonlySet<FilterId> {
  return new Set(analyticsGroup.filters.map(({ id }) => id as FilterId))
}

export type AskedGraph = { readonly groupId: number; readonly graph: Graph; readonly filters: GraphFilters }

/** Asks for all graphs of the page at once, before what draws them has come; returns how many could not be read. */
export function useAskedGraphs(projectId: string, asked: readonly AskedGraph[]): number {
  return useQueries({
    queries: asked.map(({ groupId, graph, filters }) => ({
      ...graphQuery({ projectId, groupId, graphId: graph.id }, filters),
      refetchInterval: LOOK_MS,
    })),
    combine: (results) => results.filter(({ isError, data }) => isError && data === undefined).length,
  })
}
