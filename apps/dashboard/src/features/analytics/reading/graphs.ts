import type { UserGroup } from '@kassa/contract/analytics/schemas.ts'

export type Graph = UserGroup['analyticsGroup']['graphs'][number]

/** Returns the graphs of a group in their order. */
export function graphsOf(group: UserGroup): readonly Graph[] {
  return group.analyticsGroup.graphs.filter(({ active }) => active).toSorted((a, b) => a.sequence - b.sequence)
}
