import { searchRoutes } from '@kassa/contract/search/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'

/** A few of each kind that a text finds in a project, or in `all`; a search that nobody waits for any more is cancelled. */
export function searchQuery(projectId: string, query: string) {
  return queryOptions({
    queryKey: ['search', projectId, query],
    queryFn: ({ signal }) =>
      call(searchRoutes.searchEverything, { params: { p: projectId }, body: { query } }, { signal }),
  })
}
