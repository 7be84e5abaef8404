import type { Context } from '../../../context.ts'
import { setting } from '../../settings/service.ts'
import { seal } from '../../vaults/service.ts'
import { hintOf, secretLabel } from '../record/rules.ts'
import type { WebhookRow } from '../record/store.ts'
import { insertOldSecret } from '../signing/key-store.ts'
import { newAccessKey } from '../signing/sign.ts'

/** Replaces the signing secret, beside which the old one signs for a while; returns what to write in the endpoint. */
export async function replaceSecret(ctx: Context, webhook: WebhookRow, secret: string, overlapMs: number) {
  await retireSecret(ctx, webhook.id, webhook.secret_ref, overlapMs)
  return { secret_ref: await sealFor(ctx, webhook.url, secret), secret_hint: hintOf(secret) }
}

/** Replaces the access key at once; returns what to write in the endpoint. */
export async function replaceAccessKey(ctx: Context, webhook: WebhookRow, accessKey: string) {
  await retireSecret(ctx, webhook.id, webhook.access_key_ref, 0)
  return { access_key_ref: await sealFor(ctx, webhook.url, accessKey), access_key_hint: hintOf(accessKey) }
}

/** Keeps the secret for a while: a running attempt may be about to open it. */
async function retireSecret(ctx: Context, webhookId: number, secretId: number, overlapMs: number): Promise<void> {
  const expires_at = new Date(ctx.now().getTime() + overlapMs)
  await insertOldSecret(ctx, { webhook_id: webhookId, secret_ref: secretId, expires_at })
}

/** Puts a secret of the endpoint at this address into the vault. */
export async function sealFor(ctx: Context, url: string, value: string): Promise<number> {
  return seal(ctx, { kind: 'webhook', label: secretLabel(url), value: Buffer.from(value) })
}

/**
 * Returns the access key that new endpoints share in this install, for callers who may read its settings; else null. Whoever
 * says where an endpoint leads reads its access key there, and could speak as this install to everybody's receivers.
 */
export async function sharedAccessKey(ctx: Context): Promise<string | null> {
  return mayHoldShared(ctx) ? setting(ctx, SHARED) : null
}

/**
 * Returns what to write in an endpoint that somebody leads elsewhere: a new access key, unless they may hold the shared one.
 * Whether the key is shared does not show: the setting may have changed since, while other endpoints still have its old value.
 */
export async function withoutSharedKey(ctx: Context, webhook: WebhookRow) {
  return mayHoldShared(ctx) ? {} : replaceAccessKey(ctx, webhook, newAccessKey())
}

const SHARED = 'merchant.webhook.apikey'

function mayHoldShared({ caller }: Context): boolean {
  return caller.kind !== 'operator' || caller.grants.everywhere.has('settings:read')
}
