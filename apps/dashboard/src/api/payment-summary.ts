import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'

/** Days of a calendar, as the server reads them. */
export type SummaryDays = NonNullable<RouteCall<typeof paymentsRoutes.summarizeProjectPayments>['query']>

/** How many payments made within some days are open, closed and cancelled. */
export function summaryOfDaysQuery(projectId: string, days: SummaryDays) {
  return queryOptions({
    queryKey: ['payments', projectId, 'summary', days],
    queryFn: ({ signal }) =>
      call(paymentsRoutes.summarizeProjectPayments, { params: { p: projectId }, query: days }, { signal }),
  })
}
