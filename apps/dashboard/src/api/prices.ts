import { pricesRoutes } from '@kassa/contract/prices/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'

const EVERY_MS = 15_000

/** What every asset costs now; null where no trustworthy price exists. */
export const tickerQuery = queryOptions({
  queryKey: ['prices'],
  queryFn: ({ signal }) => call(pricesRoutes.ticker, {}, { signal }),
  refetchInterval: EVERY_MS,
})
