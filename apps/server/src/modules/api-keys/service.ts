/**
 * Project API keys: what a merchant's own software calls with. A key is shown once and stored as a hash. It reaches one
 * project, with the scopes it was given, and never anything that needs a person.
 */
import type { ChangeApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Scope } from '@kassa/contract/permissions.ts'
import type { FoundKey } from '@kassa/contract/search/schemas.ts'
import { type Context, inTransaction } from '../../context.ts'
import type { ApiKeyFacts } from '../../credentials.ts'
import { forget, seal } from '../vaults/service.ts'
import { listByPrefix } from './prefix-store.ts'
import { mailKeyCreated } from './emails.ts'
import { hmacStates } from './hmac-states.ts'
import { newKey } from './new-key.ts'
import { asNetwork, chooseScopes, isUsable, isUseDue, reachesFurther, type ScopeChoice } from './rules.ts'
import {
  countUsableKeys,
  findKey,
  findUsableKey,
  insertKey,
  listKeys,
  lockKeysOf,
  moveToRevoked,
  takeHmacRef,
  updateKey,
  updateLastUse,
} from './store.ts'
import type { ApiKeyRow } from './tables.ts'

export { hmacFrom } from './hmac-states.ts'

/** Active keys a project may have (api.md I2). */
const MAX_KEYS = 20
const DEFAULT_NAME = 'API key'
const HOUR_MS = 60 * 60_000
/** How long a replaced value works beside the new one unless the caller says otherwise (api.md I6). */
const DEFAULT_OVERLAP_HOURS = 24

/**
 * Finds the key behind the SHA-256 of its text; null when it is unknown, inactive, revoked or expired. It writes nothing. The
 * caller checks whether the address may use the key, and whether its project is archived.
 */
export async function findApiKey(ctx: Context, keyHash: Buffer): Promise<ApiKeyFacts | null> {
  const row = await findUsableKey(ctx, keyHash)
  if (!row) return null
  const isUseNoted = !isUseDue(row.last_used_at, ctx.now())
  return {
    keyId: row.id,
    projectId: row.project_id,
    knownTo: (row.key_hash.equals(keyHash) ? row.shown_to : row.previous_shown_to) ?? row.created_by,
    scopes: new Set(row.scopes),
    allowedIps: row.allowed_ips,
    isUseNoted,
    configVersion: row.config_version,
  }
}

/** Stores the last use of an accepted key, at most once a minute. */
export async function noteApiKeyUse(ctx: Context, key: ApiKeyFacts, ip: string): Promise<void> {
  if (!key.isUseNoted) await updateLastUse(ctx, key.keyId, ip)
}

/** Who created a key; null when there is none of this id. */
export async function creatorOfKey(ctx: Context, id: number): Promise<number | null> {
  return (await findKey(ctx, { id, projectIds: 'every' }))?.created_by ?? null
}

/** The newest keys whose name begins with a text, or of that id or ending; only what names them. */
export async function findKeys(
  ctx: Context,
  { query, ...asked }: { projectIds: readonly number[] | 'every'; query: string; limit: number },
): Promise<FoundKey[]> {
  const rows = await listByPrefix(ctx, { ...asked, start: query.toLowerCase() })
  return rows.map(({ id, project_id: externalPlatformID, name, last4 }) => ({ id, externalPlatformID, name, last4 }))
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
 * Creates a key and emits api_key.created; only this answer contains the text of the key.
 * @throws VALIDATION_FAILED for an end in the past, SCOPE_UNKNOWN, SCOPE_ABOVE_YOURS, API_KEY_LIMIT
 */
export async function createApiKey(
  ctx: Context,
  input: CreateApiKeyInput,
): Promise<{ readonly row: ApiKeyRow; readonly key: string }> {
  const { projectId, expiresAt = null } = input
  checkExpiry(ctx, expiresAt)
  const scopes = knownScopes(input)
  checkGranted(ctx, projectId, scopes)
  const key = newKey(ctx.config.network)
  return inTransaction(ctx, async (tx) => {
    await lockKeysOf(tx, projectId)
    await checkRoom(tx, projectId)
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
    await mailKeyCreated(tx, row)
    tx.change(null, shown(row), { projectId })
    return { row, key: key.text }
  })
}

/** Returns a key that was not revoked. @throws API_KEY_NOT_FOUND */
export async function getApiKey(
  ctx: Context,
  target: { readonly id: number; readonly projectIds: readonly number[] | 'every' },
): Promise<ApiKeyRow> {
  const row = await findKey(ctx, target)
  return row === undefined || row.status === 'revoked' ? fail('API_KEY_NOT_FOUND') : row
}

type Target = { readonly id: number; readonly projectId: number }

/**
 * Changes what a key may do, from where, until when, or whether it works at all, and emits api_key.changed; what is absent
 * stays. The next call with the key meets the change.
 *
 * @throws API_KEY_NOT_FOUND, API_KEY_REVOKED, API_KEY_LIMIT when one more key would work, SCOPE_UNKNOWN, SCOPE_ABOVE_YOURS
 * for a scope the key did not have, and for any when the key works again, for longer or from further addresses, VALIDATION_FAILED
 */
export async function changeApiKey(ctx: Context, target: Target, change: ChangeApiKey): Promise<ApiKeyRow> {
  return inTransaction(ctx, async (tx) => {
    const found = await lockKey(tx, target)
    const scopes = change.scopes === undefined ? found.scopes : knownScopes(change)
    const had = new Set(found.scopes)
    const { expiresAt = found.expires_at, status = found.status } = change
    const allowedIps = change.allowedIPs?.map(asNetwork) ?? found.allowed_ips
    const isFurther = reachesFurther(found, { status, expires_at: expiresAt, allowed_ips: allowedIps })
    checkGranted(tx, target.projectId, isFurther ? scopes : scopes.filter((scope) => !had.has(scope)))
    if (expiresAt?.getTime() !== found.expires_at?.getTime()) checkExpiry(tx, expiresAt)
    const becomes = { status, expires_at: expiresAt }
    if (!isUsable(found, tx.now()) && isUsable(becomes, tx.now())) await checkRoom(tx, target.projectId)
    const row = await updateKey(tx, target, {
      ...becomes,
      scopes,
      name: change.name === '' ? DEFAULT_NAME : (change.name ?? found.name),
      description: change.description ?? found.description,
      allowed_ips: allowedIps,
    })
    if (row === undefined) return fail('API_KEY_REVOKED')
    await announceChange(tx, 'api_key.changed', row)
    tx.change(shown(found), shown(row), { projectId: target.projectId })
    return row
  })
}

/**
 * Gives a key a new value and emits api_key.changed; the old value works beside it for `overlapHours`, a value before that
 * no more. Returns the row and the value, which is not stored. The caller learns the value, so that they need each of
 * its scopes themselves. What signs webhooks in the key's name is made of the new value from now on.
 *
 * @throws API_KEY_NOT_FOUND, API_KEY_REVOKED, SCOPE_ABOVE_YOURS
 */
export async function rotateApiKey(
  ctx: Context,
  target: Target,
  overlapHours: number = DEFAULT_OVERLAP_HOURS,
): Promise<{ readonly row: ApiKeyRow; readonly key: string }> {
  const key = newKey(ctx.config.network)
  return inTransaction(ctx, async (tx) => {
    const found = await lockKey(tx, target)
    checkGranted(tx, target.projectId, found.scopes)
    const row = await updateKey(tx, target, {
      key_hash: key.hash,
      shown_to: creatorId(tx),
      key_prefix: key.prefix,
      last4: key.last4,
      hmac_ref: await sealStates(tx, key.text, key.last4),
      ...(overlapHours === 0
        ? { previous_hash: null, previous_until: null, previous_shown_to: null }
        : {
            previous_hash: found.key_hash,
            previous_shown_to: found.shown_to,
            previous_until: new Date(tx.now().getTime() + overlapHours * HOUR_MS),
          }),
    })
    if (row === undefined) return fail('API_KEY_REVOKED')
    if (found.hmac_ref !== null) await forget(tx, found.hmac_ref)
    await announceChange(tx, 'api_key.changed', row)
    tx.change(shown(found), shown(row), { projectId: target.projectId })
    return { row, key: key.text }
  })
}

/** Returns a key and locks it until the transaction ends. @throws API_KEY_NOT_FOUND, API_KEY_REVOKED */
async function lockKey(tx: Context, { id, projectId }: Target): Promise<ApiKeyRow> {
  await lockKeysOf(tx, projectId)
  const row = (await findKey(tx, { id, projectIds: [projectId] })) ?? fail('API_KEY_NOT_FOUND')
  return row.status === 'revoked' ? fail('API_KEY_REVOKED', { details: 'Create another key instead.' }) : row
}

async function checkRoom(tx: Context, projectId: number): Promise<void> {
  if ((await countUsableKeys(tx, projectId)) < MAX_KEYS) return
  fail('API_KEY_LIMIT', { details: 'Revoke a key that is no longer used, then try again.' })
}

function checkExpiry(ctx: Context, expiresAt: Date | null): void {
  if (expiresAt === null || expiresAt > ctx.now()) return
  const message = 'Expiry must not be in the past'
  fail('VALIDATION_FAILED', { message, fields: { expiresAt: message } })
}

/** Revokes a key for good and emits api_key.changed; its next call is refused. @throws API_KEY_NOT_FOUND */
export async function revokeApiKey(ctx: Context, target: Target): Promise<void> {
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

/** Sealed as text, like every secret that signs webhooks. */
function sealStates(ctx: Context, key: string, last4: string): Promise<number> {
  const value = Buffer.from(hmacStates(key).toString('base64'))
  return seal(ctx, { kind: 'api_key_hmac', label: `Webhook signatures of the API key …${last4}`, value })
}

function knownScopes(choice: ScopeChoice): Scope[] {
  const chosen = chooseScopes(choice)
  return 'unknown' in chosen ? fail('SCOPE_UNKNOWN', { values: { name: chosen.unknown } }) : chosen.scopes
}

/** Refuses scopes beyond the caller's own, because the caller could use a scope that they grant. @throws SCOPE_ABOVE_YOURS */
function checkGranted(ctx: Context, projectId: number, scopes: readonly Scope[]): void {
  const above = scopes.find((scope) => !isGranted(ctx, projectId, scope))
  if (above) fail('SCOPE_ABOVE_YOURS', { values: { name: above }, data: { scope: above } })
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
