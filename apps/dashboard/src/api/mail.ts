import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import type { MailServer, MailTest } from '@kassa/contract/mail/schemas.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { RequestError } from './request-error.ts'
import { call } from './client.ts'
import { configurationQuery } from './configuration.ts'

export type MailServerRequest = NonNullable<RouteCall<typeof mailRoutes.saveMailServer>['body']>
export type MailTestRequest = NonNullable<RouteCall<typeof mailRoutes.testMailServer>['body']>

/** The mail server; null while there is none. It is asked for only where the install has one: its absence is a refusal. */
export const mailServerQuery = queryOptions({
  queryKey: ['mail-server'],
  queryFn: async ({ signal, client }): Promise<MailServer | null> => {
    const { features } = await client.query({ ...configurationQuery, staleTime: 0 })
    if (!features.smtp) return null
    try {
      return await call(mailRoutes.getMailServer, {}, { signal })
    } catch (thrown) {
      if (thrown instanceof RequestError && thrown.code === 'SMTP_NOT_SET') return null
      throw thrown
    }
  },
})

/** What a change starts from where there is no mail server: one that somebody set meanwhile is newer. */
const NOTHING_SEEN = new Date(0)

/**
 * Returns the function that sets the mail server in place of the one that was seen; an absent password keeps the stored one. After
 * EDIT_CONFLICT the newer one has been read. @throws RequestError
 */
export function useSaveMailServer(): (server: MailServerRequest, seen: MailServer | null) => Promise<MailServer> {
  const queryClient = useQueryClient()
  return async (body, seen) => {
    const unmodifiedSince = seen?.updatedAt ?? NOTHING_SEEN
    const saved = await call(mailRoutes.saveMailServer, { body }, { unmodifiedSince }).catch(
      async (thrown: unknown) => {
        if (thrown instanceof RequestError && thrown.code === 'EDIT_CONFLICT') {
          await queryClient.invalidateQueries({ queryKey: mailServerQuery.queryKey })
        }
        throw thrown
      },
    )
    queryClient.setQueryData(mailServerQuery.queryKey, saved)
    void queryClient.invalidateQueries({ queryKey: ['configuration'] })
    return saved
  }
}

/** Returns the function that removes the mail server with its password. @throws RequestError */
export function useRemoveMailServer(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await call(mailRoutes.removeMailServer, {})
    queryClient.setQueryData(mailServerQuery.queryKey, null)
    void queryClient.invalidateQueries({ queryKey: ['configuration'] })
  }
}

/** Returns the function that sends one mail with values that need not be stored. @throws RequestError */
export function useTestMailServer(): (body: MailTestRequest) => Promise<MailTest> {
  const queryClient = useQueryClient()
  return async (body) => {
    const result = await call(mailRoutes.testMailServer, { body })
    void queryClient.invalidateQueries({ queryKey: mailServerQuery.queryKey })
    return result
  }
}
