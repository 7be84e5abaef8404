import { fail } from '@kassa/contract/kit/refusal.ts'
import type { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import type { Context, ProjectScope } from '../../context.ts'
import { type Handlers, reply } from '../../http/handlers.ts'
import { changeWebhook, deleteWebhook, rotate } from './endpoints/change-endpoint.ts'
import { createWebhook } from './endpoints/service.ts'
import { readFeed } from './deliveries/feed.ts'
import { oldSecretEnds } from './signing/key-store.ts'
import { listDeliveries } from './deliveries/list-deliveries.ts'
import { getDelivery, getWebhook, withAttempts } from './record/service.ts'
import { replayDeliveries, resendDelivery } from './deliveries/resend.ts'
import { testWebhook } from './endpoints/test-endpoint.ts'
import { signedHeaders } from './signing/sign.ts'
import { publicKeys, signingKeys } from './signing/signing-keys.ts'
import { listWebhookRows, type WebhookRow } from './record/store.ts'
import { webhookView } from './record/view.ts'

export const webhooksHandlers: Handlers<typeof webhooksRoutes> = {
  listWebhooks: async (ctx, { scope }) => {
    const rows = await listWebhookRows(ctx, scope.projectIds)
    const views = await viewsOf(ctx, rows)
    return reply(views, { headers: { 'x-total-count': String(views.length) } })
  },
  createWebhook: async (ctx, { scope, body }) => {
    const { webhook, secret, accessKey } = await createWebhook(ctx, one(scope), body)
    return webhookView(webhook, { now: ctx.now(), once: { secret, accessKey } })
  },
  getWebhook: async (ctx, { scope, params }) => viewOf(ctx, await getWebhook(ctx, scope.projectIds, params.id)),
  updateWebhook: async (ctx, { scope, params, body }) =>
    viewOf(ctx, await changeWebhook(ctx, await getWebhook(ctx, scope.projectIds, params.id), body)),
  deleteWebhook: async (ctx, { scope, params }) => {
    await deleteWebhook(ctx, await getWebhook(ctx, scope.projectIds, params.id))
    return { message: 'Webhook deleted.' }
  },
  rotateWebhookSecret: async (ctx, { scope, params, body }) => {
    const { webhook, ...once } = await rotate(ctx, await getWebhook(ctx, scope.projectIds, params.id), body)
    return viewOf(ctx, webhook, once)
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
  resendDelivery: async (ctx, { scope, params }) => {
    const webhook = await getWebhook(ctx, scope.projectIds, params.id)
    const row = await resendDelivery(ctx, webhook, await getDelivery(ctx, webhook, params.deliveryId))
    const [view] = await withAttempts(ctx, [row])
    return view ?? fail('DELIVERY_NOT_FOUND')
  },
  replayDeliveries: async (ctx, { scope, params, body }) =>
    replayDeliveries(ctx, await getWebhook(ctx, scope.projectIds, params.id), body),
  listEvents: (ctx, { scope, query }) => readFeed(ctx, { ...query, projectIds: scope.projectIds }),
  getWebhookKeys: async (ctx) => ({
    keys: (await publicKeys(ctx)).map((key) => ({
      id: `key_${key.id}`,
      publicKey: key.public_key,
      from: key.from_at,
      until: key.until_at,
    })),
  }),
}

async function viewsOf(ctx: Context, rows: readonly WebhookRow[]): Promise<Webhook[]> {
  const ids = rows.map(({ id }) => id)
  const ends = await oldSecretEnds(ctx, ids)
  return rows.map((row) => webhookView(row, { now: ctx.now(), oldSecretEnds: ends.get(row.id) }))
}

async function viewOf(
  ctx: Context,
  row: WebhookRow,
  once: { secret?: string; accessKey?: string } = {},
): Promise<Webhook> {
  const ends = await oldSecretEnds(ctx, [row.id])
  return webhookView(row, { now: ctx.now(), oldSecretEnds: ends.get(row.id), once })
}

function one({ projectId }: ProjectScope): number {
  return projectId ?? fail('PROJECT_REQUIRED')
}
