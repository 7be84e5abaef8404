import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

import { type Context, inTransaction } from '../../../context.ts'
import { remembered } from '../../../memory.ts'
import { open, seal } from '../../vaults/service.ts'
import {
  findKey,
  findNewestKeyStates,
  insertKey,
  listKeys,
  listOldSecrets,
  lockKeys,
  type KeyRow,
} from './key-store.ts'
import type { SigningKeys } from './sign.ts'
import type { WebhookRow } from '../record/store.ts'

/** Opened secrets a process caches: a secret never changes under its id, and unsealing one costs two round trips. */
const MAX_OPENED = 10_000

type Opened = { readonly secrets: Map<number, string>; own?: KeyObject }

const openedKeys = remembered((): Opened => ({ secrets: new Map() }))

/** Ids of secrets that sign for an endpoint: its old ones, and the states of its project's newest API key. */
type Refs = { readonly old: readonly number[]; readonly states: number | null }

/**
 * Opens the keys that sign deliveries of an endpoint now; `known` are the ids of its further secrets when they were read
 * already.
 */
export async function signingKeys(ctx: Context, webhook: WebhookRow, known?: Refs): Promise<SigningKeys> {
  const { old, states } = known ?? {
    old: await listOldSecrets(ctx, webhook.id),
    states: await findNewestKeyStates(ctx, webhook.project_id),
  }
  const secrets = await Promise.all([webhook.secret_ref, ...old].map((id) => openOnce(ctx, id)))
  return {
    secrets,
    accessKey: await openOnce(ctx, webhook.access_key_ref),
    legacyHeaders: webhook.legacy_headers,
    keyStates: webhook.legacy_headers ? await openStates(ctx, states) : null,
    own: await ownKey(ctx),
  }
}

/** The public keys of `v1a` signatures, newest first. */
export async function publicKeys(ctx: Context): Promise<KeyRow[]> {
  await ownKey(ctx)
  return listKeys(ctx)
}

/** A key that was revoked a moment ago no longer signs. */
async function openStates(ctx: Context, ref: number | null): Promise<Buffer | null> {
  const text = ref === null ? null : await openOnce(ctx, ref).catch(() => null)
  return text === null ? null : Buffer.from(text, 'base64')
}

async function openOnce(ctx: Context, secretId: number): Promise<string> {
  const { secrets } = openedKeys(ctx)
  const known = secrets.get(secretId)
  if (known !== undefined) return known
  const text = (await open(ctx, secretId)).toString('utf8')
  if (secrets.size >= MAX_OPENED) secrets.clear()
  secrets.set(secretId, text)
  return text
}

/** The Ed25519 key that signs for this install; created on first use. */
async function ownKey(ctx: Context): Promise<KeyObject> {
  const cache = openedKeys(ctx)
  if (cache.own) return cache.own
  const row = (await findKey(ctx)) ?? (await makeKey(ctx))
  const key = createPrivateKey({ key: await open(ctx, row.secret_ref), format: 'der', type: 'pkcs8' })
  cache.own = key
  return key
}

/** When two processes create it at once, the second one finds the first one's. */
async function makeKey(ctx: Context): Promise<KeyRow> {
  return inTransaction(ctx, async (tx) => {
    await lockKeys(tx)
    const known = await findKey(tx)
    if (known) return known
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const value = privateKey.export({ format: 'der', type: 'pkcs8' })
    const { x = '' } = publicKey.export({ format: 'jwk' })
    return insertKey(tx, {
      public_key: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`,
      secret_ref: await seal(tx, { kind: 'webhook_key', label: 'Webhook signatures', value }),
    })
  })
}
