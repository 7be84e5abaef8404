import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import type {
  Delivery,
  NewWebhook,
  Replay,
  Rotation,
  TestResult,
  Webhook,
  WebhookChange,
} from '@kassa/contract/webhooks/schemas.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useIntent } from './intent.ts'
import { pageBefore } from './page-before.ts'
import { readEveryPage, type RowsRead } from './whole-lists.ts'

export type DeliveryFilter = NonNullable<RouteCall<typeof webhooksRoutes.listDeliveries>['query']>

/** Reads what `webhooksQuery` of the lazy lists holds. @throws RequestError */
export function readWebhooks(projectId: string, signal: AbortSignal): Promise<readonly Webhook[]> {
  return call(webhooksRoutes.listWebhooks, { params: { p: projectId } }, { signal })
}

/** Returns the function that adds an endpoint; its answer alone carries the secrets. @throws RequestError */
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

/** Returns the function that changes an endpoint: what is absent stays. @throws RequestError */
export function useChangeWebhook(): (webhook: Webhook, change: WebhookChange) => Promise<Webhook> {
  const intent = useIntent()
  const refresh = useRefreshWebhooks()
  return async (webhook, change) => {
    const params = paramsOf(webhook)
    const changed = await intent({ params, change }, (idempotencyKey) =>
      call(webhooksRoutes.updateWebhook, { params, body: change }, { idempotencyKey }),
    )
    refresh()
    return changed
  }
}

/** Returns the function that deletes an endpoint; its history stays. @throws RequestError */
export function useDeleteWebhook(): (webhook: Webhook) => Promise<void> {
  const intent = useIntent()
  const refresh = useRefreshWebhooks()
  return async (webhook) => {
    const params = paramsOf(webhook)
    await intent(params, (idempotencyKey) => call(webhooksRoutes.deleteWebhook, { params }, { idempotencyKey }))
    refresh()
  }
}

/** Returns the function that makes a new secret or access key; its answer alone carries it. @throws RequestError */
export function useRotateWebhook(): (webhook: Webhook, rotation: Rotation) => Promise<Webhook> {
  const intent = useIntent()
  const refresh = useRefreshWebhooks()
  return async (webhook, rotation) => {
    const params = paramsOf(webhook)
    const rotated = await intent({ params, rotation }, (idempotencyKey) =>
      call(webhooksRoutes.rotateWebhookSecret, { params, body: rotation }, { idempotencyKey }),
    )
    refresh()
    return rotated
  }
}

/** Names one delivery: its project, its endpoint, and its own id. */
export type DeliveryName = { readonly projectId: string; readonly webhookId: number; readonly deliveryId: number }

/** Returns the function that sends a delivery again, with the same id and body. @throws RequestError */
export function useResendDelivery(): (delivery: DeliveryName) => Promise<void> {
  const intent = useIntent()
  const refresh = useRefreshWebhooks()
  return async ({ projectId, webhookId, deliveryId }) => {
    const params = { p: projectId, id: webhookId, deliveryId: String(deliveryId) }
    await intent(params, (idempotencyKey) => call(webhooksRoutes.resendDelivery, { params }, { idempotencyKey }))
    refresh()
  }
}

/** Returns the function that sends the deliveries of a time again, and how many those are. @throws RequestError */
export function useReplayDeliveries(): (webhook: Webhook, replay: Replay) => Promise<number> {
  const intent = useIntent()
  const refresh = useRefreshWebhooks()
  return async (webhook, replay) => {
    const params = paramsOf(webhook)
    const { queued } = await intent({ params, replay }, (idempotencyKey) =>
      call(webhooksRoutes.replayDeliveries, { params, body: replay }, { idempotencyKey }),
    )
    refresh()
    return queued
  }
}

/** Returns the function that sends an endpoint a signed ping; a test that fails switches nothing off. @throws RequestError */
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
    queryFn: ({ signal }) => readDeliveries(projectId, webhookId, filter, signal),
    placeholderData: pageBefore(projectId),
  })
}

/** Reads all pages of what a filter finds, up to 10,000. @throws RequestError */
export function readEveryDelivery(
  projectId: string,
  webhookId: number | undefined,
  { cursor: _cursor, ...filter }: DeliveryFilter,
): Promise<RowsRead<Delivery>> {
  return readEveryPage((page) => readDeliveries(projectId, webhookId, { ...filter, ...page }))
}

function readDeliveries(projectId: string, webhookId: number | undefined, query: DeliveryFilter, signal?: AbortSignal) {
  const options = signal === undefined ? {} : { signal }
  return webhookId === undefined
    ? call(webhooksRoutes.listDeliveries, { params: { p: projectId }, query }, options)
    : call(webhooksRoutes.listDeliveriesOfWebhook, { params: { p: projectId, id: webhookId }, query }, options)
}

/** One delivery: what was sent, and every try. */
export function deliveryQuery(projectId: string, webhookId: number, deliveryId: string) {
  return queryOptions({
    queryKey: ['webhooks', projectId, 'delivery', webhookId, deliveryId],
    queryFn: ({ signal }) =>
      call(webhooksRoutes.getDelivery, { params: { p: projectId, id: webhookId, deliveryId } }, { signal }),
  })
}

export type EventFilter = NonNullable<RouteCall<typeof webhooksRoutes.listEvents>['query']>

/** How often is asked for what has happened since. */
const TAIL_EVERY_MS = 5_000

/** Events of a project, newest first; the first page is asked for again and again while it is `isLive`. */
export function eventsQuery(projectId: string, filter: Omit<EventFilter, 'order'>, isLive: boolean) {
  const query = { ...filter, order: 'newest' } as const
  return queryOptions({
    queryKey: ['webhooks', projectId, 'events', query],
    queryFn: ({ signal }) => call(webhooksRoutes.listEvents, { params: { p: projectId }, query }, { signal }),
    placeholderData: pageBefore(projectId),
    refetchInterval: isLive ? TAIL_EVERY_MS : false,
  })
}

function paramsOf({ id, externalPlatformID }: Webhook): { p: string; id: number } {
  return { p: String(externalPlatformID), id }
}

function useRefreshWebhooks(): () => void {
  const queryClient = useQueryClient()
  return () => {
    for (const noun of ['webhooks', 'payments', 'alarms']) void queryClient.invalidateQueries({ queryKey: [noun] })
  }
}
