import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Rotation, WebhookChange } from '@kassa/contract/webhooks/schemas.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm } from '../../alarms/service.ts'
import { forget } from '../../vaults/service.ts'
import { change, checkUrl, refusePowerfulKey } from './service.ts'
import { checkEvents } from '../record/rules.ts'
import { alarmSubject } from './health.ts'
import { deleteOldSecrets } from '../signing/key-store.ts'
import { replaceAccessKey, replaceSecret, withoutSharedKey } from './secrets.ts'
import { discardPending } from '../record/attempt-store.ts'
import { newAccessKey, newSecret } from '../signing/sign.ts'
import { findWebhookByUrl, findWebhookRow, lockEndpoints, type WebhookRow } from '../record/store.ts'

/** Default hours in which both secrets sign, so that a receiver can change over (api.md H7). */
const OVERLAP_HOURS = 24
const HOUR_MS = 3_600_000

/**
 * Changes an endpoint. A new address counts as untested; switching the endpoint off discards its waiting deliveries.
 * @throws WEBHOOK_URL_NOT_ALLOWED, WEBHOOK_EXISTS, EVENT_UNKNOWN, ACCESS_KEY_TOO_POWERFUL
 */
export async function changeWebhook(ctx: Context, webhook: WebhookRow, input: WebhookChange): Promise<WebhookRow> {
  const { project_id: projectId } = webhook
  if (input.url !== undefined) checkUrl(ctx, input.url)
  const events = input.events && checkEvents(input.events)
  if (input.access_key !== undefined) await refusePowerfulKey(ctx, projectId, input.access_key)
  return inTransaction(ctx, async (tx) => {
    const known = await lockWebhook(tx, webhook)
    const isMoved = input.url !== undefined && input.url !== known.url
    if (isMoved && (await findWebhookByUrl(tx, projectId, input.url ?? ''))) return fail('WEBHOOK_EXISTS')
    await change(tx, known, {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.description !== undefined && { description: input.description }),
      ...(isMoved && { url: input.url, tested: false, failing_since: null }),
      ...(isMoved && input.access_key === undefined && (await withoutSharedKey(tx, known))),
      ...(events && { events: events.length > 0 ? events : null }),
      ...(input.legacyHeaders !== undefined && { legacy_headers: input.legacyHeaders }),
      ...(input.access_key !== undefined && (await replaceAccessKey(tx, known, input.access_key))),
      ...(input.status !== undefined && { status: input.status }),
    })
    if (input.status === 'inactive') await discardPending(tx, known.id)
    if (input.status !== undefined && input.status !== known.status) await endAlarms(tx, known)
    return (await findWebhookRow(tx, webhook.id)) ?? fail('WEBHOOK_NOT_FOUND')
  })
}

/** Deletes an endpoint for good: its waiting deliveries are discarded, its history stays. */
export async function deleteWebhook(ctx: Context, webhook: WebhookRow): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockWebhook(tx, webhook)
    await change(tx, webhook, { status: 'deleted', is_default: false })
    await discardPending(tx, webhook.id)
    await endAlarms(tx, webhook)
  })
}

/**
 * Creates a new secret, while the old one also signs for a period; or a new access key, which replaces the old one at once,
 * because a header carries one value. Only this answer shows the new value.
 */
export async function rotate(
  ctx: Context,
  webhook: WebhookRow,
  { what = 'secret', overlapHours = OVERLAP_HOURS }: Rotation,
): Promise<{ readonly webhook: WebhookRow; readonly secret?: string; readonly accessKey?: string }> {
  return inTransaction(ctx, async (tx) => {
    const known = await lockWebhook(tx, webhook)
    const fresh = what === 'secret' ? newSecret() : newAccessKey()
    const replace = what === 'secret' ? replaceSecret : replaceAccessKey
    await change(tx, known, await replace(tx, known, fresh, overlapHours * HOUR_MS))
    const changed = (await findWebhookRow(tx, webhook.id)) ?? fail('WEBHOOK_NOT_FOUND')
    return { webhook: changed, ...(what === 'secret' ? { secret: fresh } : { accessKey: fresh }) }
  })
}

/** Deletes replaced secrets and access keys from the vault once they are no longer used. */
export async function deleteUnusedSecrets(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    for (const id of await deleteOldSecrets(tx)) await forget(tx, id)
  })
}

/** Returns the endpoint and locks it until the transaction ends. @throws WEBHOOK_NOT_FOUND */
async function lockWebhook(ctx: Context, { id, project_id: projectId }: WebhookRow): Promise<WebhookRow> {
  await lockEndpoints(ctx, projectId)
  return (await findWebhookRow(ctx, id)) ?? fail('WEBHOOK_NOT_FOUND')
}

async function endAlarms(ctx: Context, webhook: WebhookRow): Promise<void> {
  for (const kind of ['endpoint_failing', 'endpoint_gone'] as const) {
    await clearAlarm(ctx, { kind, subject: alarmSubject(webhook) })
  }
}
