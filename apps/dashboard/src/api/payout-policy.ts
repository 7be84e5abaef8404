import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { payoutPolicyRoutes } from '@kassa/contract/payout-policy/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange, useIntent } from './intent.ts'
import { pageBefore } from './page-before.ts'

export type PayoutConfigChange = NonNullable<RouteCall<typeof payoutPolicyRoutes.changePayoutConfig>['body']>
export type PayoutDraft = NonNullable<RouteCall<typeof payoutPolicyRoutes.dryRunPayoutConfig>['body']>

/** When money may leave a project. */
export function payoutConfigQuery(projectId: string) {
  return queryOptions({
    queryKey: ['payout-policy', projectId],
    queryFn: async ({ signal }) =>
      (await call(payoutPolicyRoutes.getPayoutConfig, { params: { p: projectId } }, { signal })).payoutConfig,
  })
}

/** What a draft would have decided of the payouts of the last days; the answer before stays while the next one comes. */
export function dryRunQuery(projectId: string, body: PayoutDraft) {
  return queryOptions({
    queryKey: ['payout-policy', projectId, 'dry-run', body],
    queryFn: ({ signal }) =>
      call(payoutPolicyRoutes.dryRunPayoutConfig, { params: { p: projectId }, body }, { signal }),
    placeholderData: pageBefore(projectId),
    retry: false,
  })
}

/** Returns the function that changes the policy of a project; after a refusal the policy is read again. @throws RequestError */
export function useChangePayoutConfig(projectId: string) {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async (body: PayoutConfigChange) => {
    const { payoutConfig } = await intent(body, (idempotencyKey) =>
      call(payoutPolicyRoutes.changePayoutConfig, { params: { p: projectId }, body }, { idempotencyKey }),
    ).catch((thrown: unknown) => {
      void queryClient.invalidateQueries({ queryKey: payoutConfigQuery(projectId).queryKey, exact: true })
      throw thrown
    })
    queryClient.setQueryData(payoutConfigQuery(projectId).queryKey, payoutConfig)
    void queryClient.invalidateQueries({ queryKey: ['payout-policy', projectId, 'dry-run'] })
    void queryClient.invalidateQueries({ queryKey: ['recipients'] })
    void queryClient.invalidateQueries({ queryKey: ['withdrawals'] })
    return payoutConfig
  }
}

/** Returns the function that pauses payouts of every project, or lets them go on. @throws RequestError */
export function usePauseInstall() {
  const once = useChange('withdrawals', 'payout-policy')
  return (isPaused: boolean) => {
    const body = { key: 'payouts.sending', value: isPaused ? 'paused' : 'on' }
    return once(body, (idempotencyKey) => call(settingsRoutes.saveSetting, { body }, { idempotencyKey }))
  }
}
