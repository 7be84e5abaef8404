import { fail } from '@kassa/contract/kit/refusal.ts'
import type { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'

import { type Handlers, type ProjectScope, reply } from '../../http/handlers.ts'
import { createWebhook, signingKeys } from './endpoints.ts'
import { listDeliveries } from './list-deliveries.ts'
import { getDelivery, getWebhook, testWebhook, withAttempts } from './service.ts'
import { signedHeaders } from './sign.ts'
import { listWebhookRows } from './store.ts'
import { webhookView } from './view.ts'

export const webhooksHandlers: Handlers<typeof webhooksRoutes> = {
  listWebhooks: async (ctx, { scope }) => {
    const rows = await listWebhookRows(ctx, scope.projectIds)
    const views = rows.map((row) => webhookView(row, ctx.now()))
    return reply(views, { headers: { 'x-total-count': String(views.length) } })
  },
  createWebhook: async (ctx, { scope, body }) => {
    const { webhook, secret, accessKey } = await createWebhook(ctx, one(scope), body)
    return webhookView(webhook, ctx.now(), { secret, accessKey })
  },
  testWebhook: async (ctx, { scope, params, body }) => {
    const webhook = await getWebhook(ctx, scope.projectIds, params.id)
    return testWebhook(ctx, webhook, body.event)
  },
  listDeliveriesOfWebhook: async (ctx, { scope, params, query }) => {
    const webhook = await getWebhook(ctx, scope.projectIds, params.id)
    return listDeliveries(ctx, { ...query, projectIds: scope.projectIds, webhookId: webhook.id })
  },
  listDeliveries: async (ctx, { scope, query }) => listDeliveries(ctx, { ...query, projectIds: scope.projectIds }),
  getDelivery: async (ctx, { scope, params }) => {
    const webhook = await getWebhook(ctx, scope.projectIds, params.id)
    const row = await getDelivery(ctx, webhook, params.deliveryId)
    const [view] = await withAttempts(ctx, [row])
    if (!view) return fail('DELIVERY_NOT_FOUND')
    const keys = { ...(await signingKeys(ctx, webhook)), accessKey: webhook.access_key_hint }
    const headers = signedHeaders(keys, row.event_id, view.attempts.at(-1)?.at ?? row.created_at, row.body)
    return { ...view, request: { url: webhook.url, headers, body: row.body } }
  },
}

function one({ projectId }: ProjectScope): number {
  return projectId ?? fail('PROJECT_REQUIRED')
}
