import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { referralPayoutsRoutes } from '@kassa/contract/referral/routes.ts'
import type { ReferralPayout } from '@kassa/contract/referral/schemas.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { pageBefore } from './page-before.ts'
import { readEveryPage, type RowsRead } from './whole-lists.ts'

export type ReferralPayoutFilter = NonNullable<RouteCall<typeof referralPayoutsRoutes.listReferralPayouts>['query']>

/** What promoters ask for comes without anybody's press, and a message of it may be lost. */
const WATCH_MS = 15_000

/** A page of withdrawals of rewards, newest first; the page before stays on screen while the next one loads. */
export function referralPayoutsQuery(projectId: string, filter: ReferralPayoutFilter) {
  return queryOptions({
    queryKey: ['withdrawals', projectId, 'of-rewards', filter],
    queryFn: ({ signal }) =>
      call(referralPayoutsRoutes.listReferralPayouts, { params: { p: projectId }, query: filter }, { signal }),
    placeholderData: pageBefore(projectId),
    refetchInterval: WATCH_MS,
  })
}

/** Reads all pages of what a filter finds, up to 10,000. @throws RequestError */
export function readEveryReferralPayout(
  projectId: string,
  { cursor: _cursor, ...filter }: ReferralPayoutFilter,
): Promise<RowsRead<ReferralPayout>> {
  return readEveryPage((page) =>
    call(referralPayoutsRoutes.listReferralPayouts, { params: { p: projectId }, query: { ...filter, ...page } }),
  )
}

/** As many are looked through for one whose address never paid. */
const MOST_WAITING = 100

/** Those that wait for this operator's approval, the oldest first. */
export function waitingReferralPayoutsQuery(projectId: string) {
  return referralPayoutsQuery(projectId, { waitingFor: 'me', order: 'asc', limit: MOST_WAITING })
}

/** How many of them wait, and what was paid and failed in 30 days. */
export function referralPayoutMetricsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['withdrawals', projectId, 'of-rewards', 'metrics'],
    queryFn: ({ signal }) =>
      call(referralPayoutsRoutes.getReferralPayoutMetrics, { params: { p: projectId } }, { signal }),
    refetchInterval: WATCH_MS,
  })
}

const MINIMUM = 'withdrawal-payout-min-amount'

/** The smallest withdrawal of rewards, in US dollars. */
export const minimumPayoutQuery = queryOptions({
  queryKey: ['configuration', MINIMUM],
  queryFn: async ({ signal }) => {
    const { value } = await call(settingsRoutes.getSetting, { params: { key: MINIMUM } }, { signal })
    return value
  },
})

/** Returns the function that changes it. @throws RequestError */
export function useSaveMinimumPayout(): (value: string) => Promise<void> {
  const queryClient = useQueryClient()
  return async (value) => {
    await call(settingsRoutes.updateSetting, { params: { key: MINIMUM }, body: { value } })
    await queryClient.invalidateQueries({ queryKey: ['configuration', MINIMUM] })
  }
}
