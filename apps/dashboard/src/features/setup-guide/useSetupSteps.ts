import { useQuery } from '@tanstack/react-query'

import { configurationQuery } from '../../api/configuration.ts'
import { apiKeysQuery, coldWalletsQuery, depositWalletsQuery, webhooksQuery } from '../../api/lazy-lists.ts'
import { meQuery, useCan } from '../../api/me.ts'
import { paymentSummaryQuery, readinessQuery } from '../../api/payments.ts'
import { projectsQuery } from '../../api/projects.ts'
import { setupSteps } from './setup-steps.ts'
import type { SetupStep } from './setup-steps.ts'

export type SetupProgress = { readonly steps: readonly SetupStep[] | undefined; readonly isFailed: boolean }

/** Returns the steps of a project's setup, from facts alone; those an operator may not read are left out. */
export function useSetupSteps(projectId: string): SetupProgress {
  const can = useCan()
  const me = useQuery(meQuery)
  const configuration = useQuery(configurationQuery)
  const readiness = useQuery(readinessQuery(projectId))
  const wallets = useQuery({ ...depositWalletsQuery, enabled: can('wallet:read', projectId) })
  const coldWallets = useQuery({ ...coldWalletsQuery, enabled: can('wallet:write') })
  const apiKeys = useQuery({ ...apiKeysQuery(projectId), enabled: can('api_key:read', projectId) })
  const webhooks = useQuery({ ...webhooksQuery(projectId), enabled: can('webhook:read', projectId) })
  const projects = useQuery(projectsQuery)
  const canTry = can('payment:create', projectId) && can('sandbox:use')
  const summary = useQuery({ ...paymentSummaryQuery(projectId), enabled: canTry })

  const isWaiting = [me, configuration, readiness, wallets, coldWallets, apiKeys, webhooks, summary, projects].some(
    (query) => query.isLoading,
  )
  const isFailed = readiness.isError || configuration.isError
  if (isWaiting || readiness.data === undefined || configuration.data === undefined)
    return { steps: undefined, isFailed }
  return {
    isFailed,
    steps: setupSteps({
      projectId: Number(projectId),
      hasFactor: me.data?.secondFactor.enrolled === true,
      isSandbox: configuration.data.features.sandbox,
      readiness: readiness.data,
      wallets: wallets.data,
      coldWallets: coldWallets.data,
      apiKeys: apiKeys.data,
      webhooks: webhooks.data,
      summary: summary.data,
      supportEmail: can('project:update', projectId)
        ? projects.data?.find(({ id }) => String(id) === projectId)?.supportEmail
        : undefined,
      hasMailServer:
        !configuration.data.features.sandbox && can('security:write') ? configuration.data.features.smtp : undefined,
    }),
  }
}
