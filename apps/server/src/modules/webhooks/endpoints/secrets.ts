import type { Context } from '../../../context.ts'
import { setting } from '../../settings/service.ts'
import { seal } from '../../vaults/service.ts'
import { hintOf, secretLabel } from '../record/rules.ts'
import type { WebhookRow } from '../record/store.ts'
import { insertOldSecret } from '../signing/key-store.ts'
import { newAccessKey } from '../signing/sign.ts'

/** Replaces the signing secret, while the old one also signs for a period; returns the new columns of the endpoint. */
export async function replaceSecret(ctx: Context, webhook: WebhookRow, secret: string, overlapMs: number) {
  await retireSecret(ctx, webhook.id, webhook.secret_ref, overlapMs)
  return { secret_ref: await sealFor(ctx, webhook.url, secret), secret_hint: hintOf(secret) }
}

/** Replaces the access key at once; returns the new columns of the endpoint. */
export async function replaceAccessKey(ctx: Context, webhook: WebhookRow, accessKey: string) {
  await retireSecret(ctx, webhook.id, webhook.access_key_ref, 0)
  return { access_key_ref: await sealFor(ctx, webhook.url, accessKey), access_key_hint: hintOf(accessKey) }
}

/** Keeps the replaced secret for a while, because a running attempt may be about to open it. */
async function retireSecret(ctx: Context, webhookId: number, secretId: number, overlapMs: number): Promise<void> {
  const expires_at = new Date(ctx.now().getTime() + overlapMs)
  await insertOldSecret(ctx, { webhook_id: webhookId, secret_ref: secretId, expires_at })
}

/** Seals a secret of the endpoint at this address in the vault. */
export async function sealFor(ctx: Context, url: string, value: string): Promise<number> {
  return seal(ctx, { kind: 'webhook', label: secretLabel(url), value: Buffer.from(value) })
}

/**
 * Returns the access key that new endpoints of this install share, for callers who may read its settings; else null. Whoever
 * decides where an endpoint points receives its access key there, and could call everybody's receivers as this install.
 */
export async function sharedAccessKey(ctx: Context): Promise<string | null> {
  return mayHoldShared(ctx) ? setting(ctx, SHARED) : null
}

/**
 * Returns the new columns of an endpoint whose address is changed: a new access key, unless the caller may have the
 * shared one. It always replaces the key, because it is unknown whether the endpoint's key is shared: the setting may have
 * changed since.
 */
export async function withoutSharedKey(ctx: Context, webhook: WebhookRow) {
  return mayHoldShared(ctx) ? {} : replaceAccessKey(ctx, webhook, newAccessKey())
}

const SHARED = 'merchant.webhook.apikey'

function mayHoldShared({ caller }: Context): boolean {
  return caller.kind !== 'operator' || caller.grants.everywhere.has('settings:read')
}
