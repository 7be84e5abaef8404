import type { RouteCall } from '@kassa/contract/kit/route.ts'
import type { ReadPaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { ALL_PROJECTS } from '../lib/navigation/current-project.ts'
import { call } from './client.ts'
import { useIntent } from './intent.ts'
import { projectQuery } from './project-changes.ts'

export type PolicyChange = NonNullable<RouteCall<typeof projectsRoutes.changePaymentPolicy>['body']>

/** How a project wants its payments handled; there is no answer for all projects at once. */
export function paymentPolicyQuery(projectId: string) {
  return queryOptions({
    queryKey: ['projects', projectId, 'payment-policy'],
    queryFn: ({ signal }) => call(projectsRoutes.getPaymentPolicy, { params: { p: projectId } }, { signal }),
    enabled: projectId !== ALL_PROJECTS && projectId !== '',
  })
}

/** Returns the function that changes what the change names, unless the policy is newer than that. @throws RequestError */
export function useChangePaymentPolicy(): (
  projectId: string,
  change: PolicyChange,
  unmodifiedSince: Date,
) => Promise<ReadPaymentPolicy> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async (projectId, body, unmodifiedSince) => {
    const policy = await intent({ projectId, body, unmodifiedSince }, (idempotencyKey) =>
      call(projectsRoutes.changePaymentPolicy, { params: { p: projectId }, body }, { idempotencyKey, unmodifiedSince }),
    )
    queryClient.setQueryData(paymentPolicyQuery(projectId).queryKey, policy)
    void queryClient.invalidateQueries({ queryKey: projectQuery(projectId).queryKey, exact: true })
    return policy
  }
}
