import { depositsRoutes } from '@kassa/contract/deposits/routes.ts'
import { unlistedTransfersRoutes } from '@kassa/contract/unlisted-transfers/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { pageBefore } from './page-before.ts'

/** More deposits on hold than this are a fault of the server, not a list to look through. */
const MOST_HELD = 200

/** Older ones are with their payments. */
const MOST_UNLISTED = 20

/** The path of all projects has no project in it. */
const ofProject = (projectId: string) => ({ params: { p: projectId } })

/** A page of money that found no payment or is held, newest first. */
export function unmatchedQuery(projectId: string, { cursor, limit }: { cursor?: string; limit?: number } = {}) {
  const query = { ...(cursor !== undefined && { cursor }), ...(limit !== undefined && { limit }) }
  return queryOptions({
    queryKey: ['payments', projectId, 'unmatched', query],
    queryFn: ({ signal }) => call(depositsRoutes.listMissedDeposits, { ...ofProject(projectId), query }, { signal }),
    placeholderData: pageBefore(projectId),
  })
}

/** What was sent last in tokens that Kassa does not list: notes, no money. */
export function unlistedQuery(projectId: string) {
  return queryOptions({
    queryKey: ['payments', projectId, 'unlisted'],
    queryFn: ({ signal }) =>
      call(
        unlistedTransfersRoutes.listUnlistedTransfers,
        { ...ofProject(projectId), query: { limit: MOST_UNLISTED } },
        { signal },
      ),
  })
}

/** The references of payments some of whose money is on hold. */
export function onHoldQuery(projectId: string) {
  return queryOptions({
    queryKey: ['payments', projectId, 'on-hold'],
    queryFn: async ({ signal }): Promise<ReadonlySet<string>> => {
      const query = { status: ['quarantined' as const], limit: MOST_HELD }
      const { data } = await call(depositsRoutes.listDeposits, { ...ofProject(projectId), query }, { signal })
      return new Set(data.flatMap(({ referenceID }) => (referenceID === null ? [] : [referenceID])))
    },
  })
}
