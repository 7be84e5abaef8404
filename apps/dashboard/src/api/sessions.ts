import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { endSession } from './session.ts'

/** Where the operator is signed in, the place used last first. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call(authRoutes.listSessions, {}, { signal }),
})

/** Returns the function that signs the operator out in one other place. @throws RequestError */
export function useEndSession(): (id: number) => Promise<void> {
  const queryClient = useQueryClient()
  return async (id) => {
    try {
      await call(authRoutes.endSession, { params: { id } })
    } finally {
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    }
  }
}

/** Signs the operator out everywhere, here too. @throws RequestError */
export async function logOutEverywhere(): Promise<void> {
  await call(authRoutes.logOutEverywhere, {})
  endSession('signed-out')
}
