/**
 * Project API keys: what a merchant's own software calls with. A key is shown once and stored as a hash; it reaches one
 * project, with the scopes it was given, and never anything that needs a person.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Scope } from '@kassa/contract/permissions.ts'
import { type Context, inTransaction } from '../../context.ts'
import type { ApiKeyFacts } from '../../credentials.ts'
import { forget, seal } from '../vaults/service.ts'
import { hmacStates } from './hmac-states.ts'
import { newKey } from './new-key.ts'
import { asNetwork, chooseScopes, isUseDue, type ScopeChoice } from './rules.ts'
import {
  countUsableKeys,
  findUsableKey,
  insertKey,
  listKeys,
  lockKeysOf,
  moveToRevoked,
  takeHmacRef,
  updateLastUse,
} from './store.ts'
import type { ApiKeyRow } from './tables.ts'

export { hmacFrom } from './hmac-states.ts'

/** Active keys a project may have (api.md I2). */
const MAX_KEYS = 20
const DEFAULT_NAME = 'API key'

/**
 * Finds the key behind the SHA-256 of its text; null when it is unknown, inactive, revoked or expired. Writes nothing:
 * whether the address may use it, and whether its project is archived, the caller decides.
 */
export async function findApiKey(ctx: Context, keyHash: Buffer): Promise<ApiKeyFacts | null> {
  const row = await findUsableKey(ctx, keyHash)
  if (!row) return null
  const isUseNoted = !isUseDue(row.last_used_at, ctx.now())
  return {
    keyId: row.id,
    projectId: row.project_id,
    scopes: new Set(row.scopes),
    allowedIps: row.allowed_ips,
    isUseNoted,
    configVersion: row.config_version,
  }
}

/** Writes the last use of a key that was let in, at most once a minute. */
export async function noteApiKeyUse(ctx: Context, key: ApiKeyFacts, ip: string): Promise<void> {
  if (!key.isUseNoted) await updateLastUse(ctx, key.keyId, ip)
}

/** Lists the keys of the projects that were not revoked, newest first. */
export async function listApiKeys(
  ctx: Context,
  {
    projectIds,
    status = ['active', 'inactive'],
  }: {
    readonly projectIds: readonly number[] | 'every'
    readonly status?: readonly ('active' | 'inactive')[] | undefined
  },
): Promise<ApiKeyRow[]> {
  return listKeys(ctx, { projectIds, status })
}

export type CreateApiKeyInput = ScopeChoice & {
  readonly projectId: number
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly allowedIPs?: readonly string[] | undefined
  readonly expiresAt?: Date | null | undefined
}

/**
 * Creates a key and emits api_key.created; the text of the key is known to this answer alone.
 * @throws VALIDATION_FAILED for an end that is past, SCOPE_UNKNOWN, SCOPE_ABOVE_YOURS, API_KEY_LIMIT
 */
export async function createApiKey(
  ctx: Context,
  input: CreateApiKeyInput,
): Promise<{ readonly row: ApiKeyRow; readonly key: string }> {
  const { projectId, expiresAt = null } = input
  if (expiresAt && expiresAt <= ctx.now()) {
    const message = 'Expiry must not be in the past'
    return fail('VALIDATION_FAILED', { message, fields: { expiresAt: message } })
  }
  const scopes = grantableScopes(ctx, projectId, input)
  const key = newKey(ctx.config.network)
  return inTransaction(ctx, async (tx) => {
    await lockKeysOf(tx, projectId)
    if ((await countUsableKeys(tx, projectId)) >= MAX_KEYS) {
      return fail('API_KEY_LIMIT', { details: 'Revoke a key that is no longer used, then create this one.' })
    }
    const row = await insertKey(tx, {
      project_id: projectId,
      created_by: creatorId(tx),
      name: input.name || input.description || DEFAULT_NAME,
      description: input.description ?? '',
      key_hash: key.hash,
      key_prefix: key.prefix,
      last4: key.last4,
      scopes,
      allowed_ips: (input.allowedIPs ?? []).map(asNetwork),
      expires_at: expiresAt,
      hmac_ref: await sealStates(tx, key.text, key.last4),
    })
    await announceChange(tx, 'api_key.created', row)
    tx.change(null, shown(row), { projectId })
    return { row, key: key.text }
  })
}

/** Revokes a key for good and emits api_key.changed; its next call is refused. @throws API_KEY_NOT_FOUND */
export async function revokeApiKey(
  ctx: Context,
  target: { readonly id: number; readonly projectId: number },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = (await moveToRevoked(tx, target)) ?? fail('API_KEY_NOT_FOUND')
    const states = await takeHmacRef(tx, row.id)
    if (states !== null) await forget(tx, states)
    await announceChange(tx, 'api_key.changed', row)
    tx.change({ id: row.id, name: row.name, last4: row.last4 }, null)
  })
}

/** What the activity log shows of a key. */
function shown({ id, name, description, last4, scopes, allowed_ips, expires_at, status }: ApiKeyRow) {
  return { id, name, description, last4, scopes, allowedIPs: allowed_ips, expiresAt: expires_at, status }
}

/** Stored as text, as every secret that signs webhooks. */
function sealStates(ctx: Context, key: string, last4: string): Promise<number> {
  const value = Buffer.from(hmacStates(key).toString('base64'))
  return seal(ctx, { kind: 'api_key_hmac', label: `Webhook signatures of the API key …${last4}`, value })
}

/** The scopes that were chosen, each of which the creator could use as a person. */
function grantableScopes(ctx: Context, projectId: number, choice: ScopeChoice): Scope[] {
  const chosen = chooseScopes(choice)
  if ('unknown' in chosen) return fail('SCOPE_UNKNOWN', { values: { name: chosen.unknown } })
  const above = chosen.scopes.find((scope) => !isGranted(ctx, projectId, scope))
  if (above) return fail('SCOPE_ABOVE_YOURS', { values: { name: above }, data: { scope: above } })
  return chosen.scopes
}

function isGranted({ caller }: Context, projectId: number, scope: Scope): boolean {
  if (caller.kind !== 'operator') return caller.kind === 'system'
  return caller.grants.install.has(scope) || caller.grants.projects.get(projectId)?.has(scope) === true
}

function creatorId({ caller }: Context): number {
  return caller.kind === 'operator' ? caller.operatorId : fail('UNAUTHORIZED')
}

async function announceChange(
  ctx: Context,
  type: 'api_key.created' | 'api_key.changed',
  row: ApiKeyRow,
): Promise<void> {
  const { id, project_id: projectId, name, status, scopes } = row
  await ctx.events.emit(ctx, { type, projectId, payload: { id, name, status, scopes } })
}
