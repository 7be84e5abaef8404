import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { recipientsRoutes } from '@kassa/contract/recipients/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'
import { pageBefore } from './page-before.ts'

export type RecipientFilter = NonNullable<RouteCall<typeof recipientsRoutes.listRecipientsOfProject>['query']>
export type NewRecipientRequest = NonNullable<RouteCall<typeof recipientsRoutes.createRecipient>['body']>
export type RecipientChangeRequest = NonNullable<RouteCall<typeof recipientsRoutes.changeRecipient>['body']>

/** A page of the recipients of a project, or of `all`; the page before stays on screen while the next one loads. */
export function recipientsQuery(projectId: string, filter: RecipientFilter) {
  return queryOptions({
    queryKey: ['recipients', projectId, filter],
    queryFn: ({ signal }) =>
      call(recipientsRoutes.listRecipientsOfProject, { params: { p: projectId }, query: filter }, { signal }),
    placeholderData: pageBefore(projectId),
  })
}

/** Returns the functions that add and change recipients; each throws RequestError, and reads the lists again either way. */
export function useRecipientChanges() {
  const once = useChange('recipients')
  const params = (id: number) => ({ params: { id } })
  return {
    create: (body: NewRecipientRequest) =>
      once(['create', body], (idempotencyKey) => call(recipientsRoutes.createRecipient, { body }, { idempotencyKey })),
    change: (id: number, body: RecipientChangeRequest) =>
      once(['change', id, body], (idempotencyKey) =>
        call(recipientsRoutes.changeRecipient, { ...params(id), body }, { idempotencyKey }),
      ),
    remove: (id: number) =>
      once(['remove', id], (idempotencyKey) => call(recipientsRoutes.deleteRecipient, params(id), { idempotencyKey })),
    verify: (id: number, otpCode: string) =>
      once(['verify', id, otpCode], () =>
        call(recipientsRoutes.verifyRecipient, { body: { entityID: id, scope: 'recipient', otpCode } }),
      ),
    sendCode: (id: number) =>
      once(['code', id], (idempotencyKey) => call(recipientsRoutes.sendRecipientCode, params(id), { idempotencyKey })),
  }
}
