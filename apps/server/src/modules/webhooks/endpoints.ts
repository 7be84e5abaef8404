import { fail, Refusal } from '@kassa/contract/kit/refusal.ts'
import { EVENTS, type EventType } from '@kassa/contract/webhooks/events.ts'
import type { NewWebhook } from '@kassa/contract/webhooks/schemas.ts'

import { type Context, inTransaction } from '../../context.ts'
import { hashCredential } from '../../http/authenticate.ts'
import { findApiKey } from '../api-keys/service.ts'
import { setting } from '../settings/service.ts'
import { open, seal } from '../vaults/service.ts'
import { hintOf } from './rules.ts'
import { newAccessKey, newSecret, type SigningKeys } from './sign.ts'
import { findDefaultWebhook, insertWebhook, listWebhookRows, updateWebhook, type WebhookRow } from './store.ts'

/** Endpoints a project can have. */
const MAX_ENDPOINTS = 20

export type CreatedWebhook = { readonly webhook: WebhookRow; readonly secret: string; readonly accessKey: string }

/**
 * Adds an endpoint; its secret and access key are readable in this answer only.
 * @throws WEBHOOK_URL_NOT_ALLOWED, EVENT_UNKNOWN, WEBHOOK_LIMIT, WEBHOOK_EXISTS, ACCESS_KEY_TOO_POWERFUL
 */
export async function createWebhook(
  ctx: Context,
  projectId: number,
  input: NewWebhook & { readonly isDefault?: boolean },
): Promise<CreatedWebhook> {
  checkUrl(ctx, input.url)
  const events = checkEvents(input.events ?? [])
  const accessKey = input.access_key ?? (await setting(ctx, 'merchant.webhook.apikey')) ?? newAccessKey()
  if (input.access_key !== undefined) await refusePowerfulKey(ctx, projectId, input.access_key)
  const secret = newSecret()
  return inTransaction(ctx, async (inner) => {
    if ((await listWebhookRows(inner, [projectId])).length >= MAX_ENDPOINTS) return fail('WEBHOOK_LIMIT')
    const label = `webhook ${input.url}`
    const webhook = await insertWebhook(inner, {
      project_id: projectId,
      name: input.name ?? '',
      description: input.description ?? '',
      url: input.url,
      status: input.status ?? 'active',
      events: events.length > 0 ? events : null,
      secret_ref: await seal(inner, { kind: 'webhook', label, value: Buffer.from(secret) }),
      secret_hint: hintOf(secret),
      access_key_ref: await seal(inner, { kind: 'webhook', label, value: Buffer.from(accessKey) }),
      access_key_hint: hintOf(accessKey),
      legacy_headers: input.legacyHeaders ?? true,
      is_default: input.isDefault ?? false,
    })
    if (!webhook) return fail('WEBHOOK_EXISTS')
    await inner.events.emit(inner, { type: 'webhook.changed', projectId, payload: { webhook_id: webhook.id } })
    return { webhook, secret, accessKey }
  })
}

/**
 * Makes the project's own webhook address its default endpoint; `""` switches that endpoint off.
 * @throws as `createWebhook`
 */
export async function ensureDefaultEndpoint(
  ctx: Context,
  { projectId, url }: { projectId: number; url: string },
): Promise<void> {
  const known = await findDefaultWebhook(ctx, projectId)
  if (url === '') {
    if (known) await updateWebhook(ctx, known.id, { status: 'inactive' })
    return
  }
  checkUrl(ctx, url)
  if (!known) {
    await createWebhook(ctx, projectId, { url, isDefault: true, name: 'Default' })
  } else if (known.url !== url || known.status !== 'active') {
    await updateWebhook(ctx, known.id, { url, status: 'active', tested: false })
  }
}

/** Opens what an endpoint's deliveries are signed with. */
export async function signingKeys(ctx: Context, webhook: WebhookRow): Promise<SigningKeys> {
  const secret = (await open(ctx, webhook.secret_ref)).toString('utf8')
  const accessKey = (await open(ctx, webhook.access_key_ref)).toString('utf8')
  return { secret, accessKey, legacyHeaders: webhook.legacy_headers }
}

/** @throws WEBHOOK_URL_NOT_ALLOWED with the reason */
export function checkUrl(ctx: Context, url: string): void {
  try {
    ctx.egress.check('webhook', url)
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    fail('WEBHOOK_URL_NOT_ALLOWED', { details: thrown.details, fields: { url: thrown.details } })
  }
}

/** Whether text names an event that endpoints can be told of. */
export function isDeliverable(name: string): name is EventType {
  return name in EVENTS && EVENTS[name as EventType].delivered !== 'never'
}

function checkEvents(names: readonly string[]): EventType[] {
  return names.map((name) => (isDeliverable(name) ? name : fail('EVENT_UNKNOWN', { values: { name } })))
}

/** A receiver may share an API key with us, unless whoever reads it there could request payouts. */
async function refusePowerfulKey(ctx: Context, projectId: number, accessKey: string): Promise<void> {
  const known = await findApiKey(ctx, hashCredential(accessKey), '')
  if (known && (known.projectId !== projectId || known.scopes.has('payout:create'))) fail('ACCESS_KEY_TOO_POWERFUL')
}
