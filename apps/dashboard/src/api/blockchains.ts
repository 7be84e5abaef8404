import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'

/** Every blockchain, and why one is not in use. */
export const blockchainsQuery = queryOptions({
  queryKey: ['blockchains'],
  queryFn: ({ signal }) => call(blockchainsRoutes.listBlockchains, {}, { signal }),
  staleTime: 60_000,
})

/** The static data of the specification (§3): what never changes about blockchains, read once while a page is open. */
export const blockchainFactsQuery = queryOptions({
  queryKey: ['blockchains', 'static'],
  queryFn: ({ signal }) => call(blockchainsRoutes.getBlockchain, { params: { x: 'static' } }, { signal }),
  staleTime: Infinity,
})

/** Heights change with every block and are not sent live. */
const HEIGHTS_EVERY_MS = 10_000

/** The same, kept as fresh as heights are worth watching. */
export const watchedBlockchainsQuery = queryOptions({
  ...blockchainsQuery,
  staleTime: 0,
  refetchInterval: HEIGHTS_EVERY_MS,
})

/** Every currency of one blockchain, with its switches and limits. */
export function assetsOfQuery(blockchainCode: string) {
  return queryOptions({
    queryKey: ['blockchains', 'assets-of', blockchainCode],
    queryFn: ({ signal }) => call(blockchainsRoutes.listAssets, { query: { blockchainCode } }, { signal }),
  })
}

/** Every currency on every blockchain, likewise. */
export const allAssetsQuery = queryOptions({
  queryKey: ['blockchains', 'assets-of', 'all'],
  queryFn: ({ signal }) => call(blockchainsRoutes.listAssets, {}, { signal }),
})

/** The visible currencies on each blockchain; they change with a release at most. */
export const publicAssetsQuery = queryOptions({
  queryKey: ['blockchains', 'assets'],
  queryFn: ({ signal }) => call(blockchainsRoutes.listPublicAssets, {}, { signal }),
  staleTime: 10 * 60_000,
})
