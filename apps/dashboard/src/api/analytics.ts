import { analyticsRoutes } from '@kassa/contract/analytics/routes.ts'
import type { GraphFilters, GroupChoice } from '@kassa/contract/analytics/inputs.ts'
import type { GraphData, UserGroup } from '@kassa/contract/analytics/schemas.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { pageBefore } from './page-before.ts'
import { RequestError } from './request-error.ts'

/** How often a card that was asked for too often asks again before it says so. */
const MOST_RETRIES = 3

/** The groups of graphs as this operator arranged them. */
export function groupsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['analytics-groups', projectId],
    queryFn: async ({ signal }): Promise<readonly UserGroup[]> => {
      const groups = await call(analyticsRoutes.listAnalyticsGroups, { params: { p: projectId } }, { signal })
      return groups.toSorted((a, b) => a.sequence - b.sequence)
    },
  })
}

/** Which graph of a project is asked for. */
export type GraphName = { readonly projectId: string; readonly groupId: number; readonly graphId: number }

/** The figures of one graph; those of other filters stay on screen while they come. */
export function graphQuery({ projectId, groupId, graphId }: GraphName, filters: GraphFilters) {
  return queryOptions({
    queryKey: ['analytics', projectId, graphId, filters],
    queryFn: ({ signal }): Promise<GraphData> => {
      const params = { p: projectId, g: String(groupId), k: String(graphId) }
      return call(analyticsRoutes.getGraphData, { params, query: filters }, { signal })
    },
    placeholderData: pageBefore(projectId),
    retry: (failures, error) =>
      failures < MOST_RETRIES && error instanceof RequestError && error.code === 'RATE_LIMITED',
    retryDelay: (failures, error) =>
      ((error instanceof RequestError ? error.retryAfter : undefined) ?? failures + 1) * 1000,
  })
}

/** Returns the function that shows, hides, moves and divides groups for this operator; on screen it is so at once. @throws RequestError */
export function useArrangeGroups(projectId: string) {
  const client = useQueryClient()
  return async (changes: readonly (GroupChoice & { readonly groupId: number })[]): Promise<void> => {
    const { queryKey } = groupsQuery(projectId)
    const choices = new Map(changes.map(({ groupId, ...choice }) => [groupId, choice]))
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, (groups) =>
      groups?.map((group) => arranged(group, choices.get(group.groupID))).toSorted((a, b) => a.sequence - b.sequence),
    )
    try {
      for (const [groupId, body] of choices) {
        const params = { p: projectId, g: String(groupId) }
        await call(analyticsRoutes.changeAnalyticsGroup, { params, body })
      }
    } finally {
      void client.invalidateQueries({ queryKey })
    }
  }
}

function arranged(group: UserGroup, choice: GroupChoice | undefined): UserGroup {
  const { visible = group.visible, sequence = group.sequence, customFilters = [] } = choice ?? {}
  const chosen = new Map(customFilters.map(({ filterID, value }) => [filterID, value]))
  const filters = group.analyticsGroup.filters.map((filter) => ({
    ...filter,
    value: chosen.get(filter.id) ?? filter.value,
  }))
  return { ...group, visible, sequence, analyticsGroup: { ...group.analyticsGroup, filters } }
}
