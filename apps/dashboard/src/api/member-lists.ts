import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { membersRoutes } from '@kassa/contract/operators/routes.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'

export type MemberFilter = NonNullable<RouteCall<typeof membersRoutes.searchMembers>['body']>

/** A page of members with the columns the server names; the page before stays on screen while the next one loads. */
export function membersQuery(filter: MemberFilter) {
  return queryOptions({
    queryKey: ['members', 'search', filter],
    queryFn: async ({ signal }) => (await call(membersRoutes.searchMembers, { body: filter }, { signal })).members,
    placeholderData: keepPreviousData,
  })
}

/** How many members there are. */
export const memberCountQuery = queryOptions({
  queryKey: ['members', 'count'],
  queryFn: async ({ signal }) =>
    (await call(membersRoutes.searchMembers, { body: { limit: 1 } }, { signal })).members.totalCount,
})
