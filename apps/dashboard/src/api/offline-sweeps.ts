import { offlineSweepsRoutes } from '@kassa/contract/sweeps/offline-routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'

/** Devices sign without anybody's press here. */
const WATCH_MS = 15_000

/** The batches that wait for a signature. */
export function waitingBatchesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['sweeps', projectId, 'offline'],
    queryFn: ({ signal }) =>
      call(
        offlineSweepsRoutes.listOfflineSweeps,
        { params: { p: projectId }, query: { status: 'pending' } },
        { signal },
      ),
    refetchInterval: WATCH_MS,
  })
}

/** One batch with what is to be signed. */
export function batchQuery(id: number) {
  return queryOptions({
    queryKey: ['sweeps', 'offline', id],
    queryFn: ({ signal }) => call(offlineSweepsRoutes.getOfflineSweep, { params: { id } }, { signal }),
    retry: false,
  })
}

/** Returns the functions that give a batch back signed, or up. @throws RequestError */
export function useBatchChanges() {
  const once = useChange('sweeps')
  return {
    post: (id: number, psbt: string) =>
      once(['sign', id, psbt], (idempotencyKey) =>
        call(offlineSweepsRoutes.signOfflineSweep, { params: { id }, body: { psbt } }, { idempotencyKey }),
      ),
    release: (id: number) =>
      once(['release', id], (idempotencyKey) =>
        call(offlineSweepsRoutes.releaseOfflineSweep, { params: { id } }, { idempotencyKey }),
      ),
  }
}
