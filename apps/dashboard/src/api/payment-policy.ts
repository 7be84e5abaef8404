import type { RouteCall } from '@kassa/contract/kit/route.ts'
import type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { ALL_PROJECTS } from '../lib/current-project.ts'
import { call } from './client.ts'
import { useIntent } from './intent.ts'

export type PolicyChange = NonNullable<RouteCall<typeof projectsRoutes.changePaymentPolicy>['body']>

/** How a project wants its payments handled; there is no answer for all projects at once. */
export function paymentPolicyQuery(projectId: string) {
  return queryOptions({
    queryKey: ['projects', projectId, 'payment-policy'],
    queryFn: ({ signal }) => call(projectsRoutes.getPaymentPolicy, { params: { p: projectId } }, { signal }),
    enabled: projectId !== ALL_PROJECTS && projectId !== '',
  })
}

/** Returns the function that changes what the change names. @throws ApiError */
export function useChangePaymentPolicy(): (projectId: string, change: PolicyChange) => Promise<PaymentPolicy> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async (projectId, body) => {
    const policy = await intent({ projectId, body }, (idempotencyKey) =>
      call(projectsRoutes.changePaymentPolicy, { params: { p: projectId }, body }, { idempotencyKey }),
    )
    queryClient.setQueryData(paymentPolicyQuery(projectId).queryKey, policy)
    return policy
  }
}
