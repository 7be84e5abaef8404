import { QueryClient } from '@tanstack/react-query'

import { followCounted } from '../api/attention.ts'
import { RequestError } from '../api/request-error.ts'

/** Answers younger than this are shown without asking again; live events mark them stale earlier. */
const FRESH_MS = 15_000

/** A lost network is worth one more try; a refusal of the server is an answer. */
const MOST_RETRIES = 1

/** Returns the cache of all answers of the server. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // Without a network a call fails at once and says so; one that waits for it would stay a grey shape, or
        // would be made much later, unseen.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) =>
          failures < MOST_RETRIES && error instanceof RequestError && error.code === 'NETWORK_FAILED',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  followCounted(client)
  return client
}
