/** Endpoints: the addresses of a project that receive its events. */
import { fail, ApiError } from '@kassa/contract/kit/api-error.ts'
import type { NewWebhook } from '@kassa/contract/webhooks/schemas.ts'
import { type Context, inTransaction, type StoredEvent } from '../../../context.ts'
import { hashCredential } from '../../../credentials.ts'
import { requirePresence } from '../../../http/access.ts'
import { findApiKey } from '../../api-keys/service.ts'
import { grantsOf } from '../../operators/accounts/service.ts'
import { getProject } from '../../projects/service.ts'
import { discardPending } from '../record/attempt-store.ts'
import { hintOf, checkEvents } from '../record/rules.ts'
import { newAccessKey, newSecret } from '../signing/sign.ts'
import {
  findDefaultWebhook,
  findWebhookByUrl,
  insertWebhook,
  listWebhookRows,
  lockEndpoints,
  updateWebhook,
  type WebhookRow,
} from '../record/store.ts'
import { announceDue } from '../record/service.ts'
import { sealFor, sharedAccessKey, withoutSharedKey } from './secrets.ts'

/** Endpoints a project can have. */
const MAX_ENDPOINTS = 20

export type CreatedWebhook = { readonly webhook: WebhookRow; readonly secret: string; readonly accessKey: string }

/**
 * Adds an endpoint; only this answer shows its secret and access key.
 * @throws WEBHOOK_URL_NOT_ALLOWED, EVENT_UNKNOWN, WEBHOOK_LIMIT, WEBHOOK_EXISTS, ACCESS_KEY_TOO_POWERFUL
 */
export async function createWebhook(
  ctx: Context,
  projectId: number,
  input: NewWebhook & { readonly isDefault?: boolean },
): Promise<CreatedWebhook> {
  checkUrl(ctx, input.url)
  const events = checkEvents(input.events ?? [])
  const accessKey = input.access_key ?? (await sharedAccessKey(ctx)) ?? newAccessKey()
  if (input.access_key !== undefined) await refusePowerfulKey(ctx, projectId, input.access_key)
  const secret = newSecret()
  return inTransaction(ctx, async (tx) => {
    await lockEndpoints(tx, projectId)
    if ((await listWebhookRows(tx, [projectId])).length >= MAX_ENDPOINTS) return fail('WEBHOOK_LIMIT')
    const webhook = await insertWebhook(tx, {
      project_id: projectId,
      name: input.name ?? '',
      description: input.description ?? '',
      url: input.url,
      status: input.status ?? 'active',
      events: events.length > 0 ? events : null,
      secret_ref: await sealFor(tx, input.url, secret),
      secret_hint: hintOf(secret),
      access_key_ref: await sealFor(tx, input.url, accessKey),
      access_key_hint: hintOf(accessKey),
      legacy_headers: input.legacyHeaders ?? true,
      is_default: input.isDefault ?? false,
    })
    if (!webhook) return fail('WEBHOOK_EXISTS')
    tx.change(null, shown(webhook), { projectId })
    await tx.events.emit(tx, { type: 'webhook.changed', projectId, payload: { webhook_id: webhook.id } })
    return { webhook, secret, accessKey }
  })
}

/**
 * Makes the project's own webhook address its default endpoint; `""` switches that endpoint off. An existing endpoint with this
 * address becomes the default one. Changes nothing when it is the default already.
 * @throws FORBIDDEN without webhook:write, STEP_UP_REQUIRED, and as `createWebhook`
 */
async function ensureDefaultEndpoint(
  ctx: Context,
  { projectId, url }: { projectId: number; url: string },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockEndpoints(tx, projectId)
    const known = await findDefaultWebhook(tx, projectId)
    const isActive = known?.status === 'active'
    if (url === '' ? !isActive : isActive && known.url === url) return
    await requireWrite(tx, projectId)
    if (url !== '') checkUrl(tx, url)
    const holder = url === '' ? undefined : await findWebhookByUrl(tx, projectId, url)
    if (!known && !holder && url !== '') {
      await createWebhook(tx, projectId, { url, isDefault: true, name: 'Default' })
      return
    }
    if (known && (url === '' || (holder && holder.id !== known.id))) {
      await change(tx, known, { status: 'inactive', is_default: url === '' })
      await discardPending(tx, known.id)
    }
    const next = holder ?? known
    if (next && url !== '') {
      const moved = next.url !== url && { url, tested: false, ...(await withoutSharedKey(tx, next)) }
      await change(tx, next, { status: 'active', is_default: true, ...moved })
    }
  })
}

/** What the activity log shows of an endpoint: the address without its query, which may hold a secret. */
export function shown(webhook: Pick<WebhookRow, 'id' | 'name' | 'url' | 'status' | 'events' | 'legacy_headers'>) {
  const { id, name, url, status, events, legacy_headers: legacyHeaders } = webhook
  return { id, name, url: url.split('?', 1)[0], status, events, legacyHeaders }
}

/** Changes an endpoint and emits webhook.changed, in the open transaction. */
export async function change(
  ctx: Context,
  webhook: WebhookRow,
  values: Parameters<typeof updateWebhook>[2],
): Promise<void> {
  await updateWebhook(ctx, webhook.id, values)
  ctx.change(shown(webhook), shown({ ...webhook, ...values }))
  const payload = { webhook_id: webhook.id }
  await ctx.events.emit(ctx, { type: 'webhook.changed', projectId: webhook.project_id, payload })
}

/**
 * The permission to change a project does not include redirecting its webhooks, so this requires what the webhook routes
 * require. The creator of a new project leads it already.
 */
async function requireWrite(ctx: Context, projectId: number): Promise<void> {
  const { caller } = ctx
  if (caller.kind !== 'operator') return
  const { install, projects } = await grantsOf(ctx, caller.operatorId)
  const permission = 'webhook:write'
  if (!install.has(permission) && !projects.get(projectId)?.has(permission)) {
    const { name: project } = await getProject(ctx, projectId)
    fail('FORBIDDEN', { values: { permission, project }, data: { permission, project } })
  }
  requirePresence(caller, { stepUp: 'S', action: 'H4', now: ctx.now() })
}

/** @throws WEBHOOK_URL_NOT_ALLOWED with the reason */
export function checkUrl(ctx: Context, url: string): void {
  try {
    ctx.egress.check('webhook', url)
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    fail('WEBHOOK_URL_NOT_ALLOWED', { details: thrown.details, fields: { url: thrown.details } })
  }
}

/**
 * A receiver may share an API key with us, but not one that can request payouts, because any reader there could use it.
 * @throws ACCESS_KEY_TOO_POWERFUL
 */
export async function refusePowerfulKey(ctx: Context, projectId: number, accessKey: string): Promise<void> {
  const known = await findApiKey(ctx, hashCredential(accessKey))
  if (known && (known.projectId !== projectId || known.scopes.has('payout:create'))) fail('ACCESS_KEY_TOO_POWERFUL')
}

/**
 * Subscriber: makes a project's own webhook address its default endpoint, and sends what waited while the project was archived.
 * @throws WEBHOOK_URL_NOT_ALLOWED
 */
export async function followProject(ctx: Context, event: StoredEvent): Promise<void> {
  const url = event.payload.webhookEndpoint
  if (event.projectId === null) return
  announceDue(ctx, event.projectId)
  if (typeof url !== 'string') return
  await ensureDefaultEndpoint(ctx, { projectId: event.projectId, url })
}
