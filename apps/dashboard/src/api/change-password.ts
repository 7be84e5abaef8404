import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useIntent } from './intent.ts'
import { sessionsQuery } from './sessions.ts'

type PasswordChange = { readonly oldPassword: string; readonly password: string }

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
