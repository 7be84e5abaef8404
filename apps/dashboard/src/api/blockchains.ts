import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'

/** Every blockchain, and why one is not in use. */
export const blockchainsQuery = queryOptions({
  queryKey: ['blockchains'],
  queryFn: ({ signal }) => call(blockchainsRoutes.listBlockchains, {}, { signal }),
  staleTime: 60_000,
})

/** The visible currencies on each blockchain; they change with a release at most. */
export const publicAssetsQuery = queryOptions({
  queryKey: ['blockchains', 'assets'],
  queryFn: ({ signal }) => call(blockchainsRoutes.listPublicAssets, {}, { signal }),
  staleTime: 10 * 60_000,
})
