import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useIntent } from './intent.ts'
import { endSession } from './session.ts'

export type PasswordChange = { readonly oldPassword: string; readonly password: string }

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

/**
 * Returns the function that gives the operator another password, which signs every other place out; it returns what the
 * server says about it. @throws RequestError
 */
export function useChangePassword(): (change: PasswordChange) => Promise<string> {
  const queryClient = useQueryClient()
  // After a lost answer the current password may be another one already: the repetition gets the answer that was lost.
  const intent = useIntent()
  return async (change) => {
    const { message } = await intent(change, (idempotencyKey) =>
      call(authRoutes.changePassword, { body: change }, { idempotencyKey }),
    )
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    return message
  }
}

/** Signs the operator out everywhere, here too. @throws RequestError */
export async function logOutEverywhere(): Promise<void> {
  await call(authRoutes.logOutEverywhere, {})
  endSession('signed-out')
}
