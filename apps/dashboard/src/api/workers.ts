import { workersRoutes } from '@kassa/contract/workers/routes.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useIntent } from './intent.ts'

/** Changes arrive live, but no event announces a crashed process, nor each run. */
const WORKERS_EVERY_MS = 5_000

/** How everything is that works in the background, in all processes together. */
export const workersQuery = queryOptions({
  queryKey: ['workers'],
  queryFn: async ({ signal }) => (await call(workersRoutes.listWorkers, {}, { signal })).status,
  refetchInterval: WORKERS_EVERY_MS,
})

/** Returns the function that lets a worker begin again; it resolves to what comes of it, in a sentence. @throws RequestError */
export function useRestartWorker(): (name: string) => Promise<string> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async (name) => {
    const { message } = await intent({ name }, (idempotencyKey) =>
      call(workersRoutes.restartWorker, { params: { name } }, { idempotencyKey }),
    )
    void queryClient.invalidateQueries({ queryKey: workersQuery.queryKey })
    return message
  }
}
