import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import type { NewWebhook, TestResult, Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useIntent } from './intent.ts'

export type DeliveryFilter = NonNullable<RouteCall<typeof webhooksRoutes.listDeliveries>['query']>

/** The webhook endpoints of a project, or of `all`; their secrets are masked. */
export function webhooksQuery(projectId: string) {
  return queryOptions({
    queryKey: ['webhooks', projectId],
    queryFn: ({ signal }) => call(webhooksRoutes.listWebhooks, { params: { p: projectId } }, { signal }),
  })
}

/** Returns the function that adds an endpoint; its answer alone carries the secrets. @throws ApiError */
export function useAddWebhook(): (projectId: string, webhook: NewWebhook) => Promise<Webhook> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async (projectId, webhook) => {
    const added = await intent({ projectId, webhook }, (idempotencyKey) =>
      call(webhooksRoutes.createWebhook, { params: { p: projectId }, body: webhook }, { idempotencyKey }),
    )
    void queryClient.invalidateQueries({ queryKey: ['webhooks'] })
    return added
  }
}

/** Returns the function that sends an endpoint a signed ping; a test that fails switches nothing off. @throws ApiError */
export function useTestWebhook(): (webhook: Webhook) => Promise<TestResult> {
  const queryClient = useQueryClient()
  return async ({ id, externalPlatformID }) => {
    const params = { p: String(externalPlatformID), id }
    const result = await call(webhooksRoutes.testWebhook, { params, body: {} })
    void queryClient.invalidateQueries({ queryKey: ['webhooks'] })
    return result
  }
}

/** A page of deliveries of one endpoint, or of all; the page before stays on screen while the next one loads. */
export function deliveriesQuery(projectId: string, webhookId: number | undefined, filter: DeliveryFilter) {
  return queryOptions({
    queryKey: ['webhooks', projectId, 'deliveries', webhookId ?? 'all', filter],
    queryFn: ({ signal }) =>
      webhookId === undefined
        ? call(webhooksRoutes.listDeliveries, { params: { p: projectId }, query: filter }, { signal })
        : call(
            webhooksRoutes.listDeliveriesOfWebhook,
            { params: { p: projectId, id: webhookId }, query: filter },
            { signal },
          ),
    placeholderData: keepPreviousData,
  })
}

/** One delivery: what was sent, and every try. */
export function deliveryQuery(projectId: string, webhookId: number, deliveryId: string) {
  return queryOptions({
    queryKey: ['webhooks', projectId, 'delivery', webhookId, deliveryId],
    queryFn: ({ signal }) =>
      call(webhooksRoutes.getDelivery, { params: { p: projectId, id: webhookId, deliveryId } }, { signal }),
  })
}
