import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import { gathered } from '../../db/round-trips/gathered.ts'
import { configVersion } from '../../db/versioned.ts'
import type { ApiKeyRow, ApiKeyTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<ApiKeyTables>()

/** Lets one transaction at a time add keys to a project, so that two cannot exceed the limit together. */
export async function lockKeysOf(ctx: Context, projectId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('api_keys'), ${projectId})`.execute(ctx.db)
}

/** Counts the keys of a project that can still be used. */
export async function countUsableKeys(ctx: Context, projectId: number): Promise<number> {
  const row = await tables(ctx)
    .selectFrom('api_keys')
    .select((count) => count.fn.countAll<bigint>().as('keys'))
    .where('project_id', '=', projectId)
    .where('status', '=', 'active')
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', ctx.now())]))
    .executeTakeFirstOrThrow()
  return Number(row.keys)
}

/** Columns that a new key leaves empty. */
type Later =
  | 'status'
  | 'last_used_at'
  | 'last_used_ip'
  | 'shown_to'
  | 'previous_hash'
  | 'previous_until'
  | 'previous_shown_to'

export type NewApiKey = Omit<ApiKeyRow, Later | 'id' | 'created_at' | 'updated_at'>

/** Inserts an active key. */
export async function insertKey(ctx: Context, key: NewApiKey): Promise<ApiKeyRow> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('api_keys')
    .values({ ...key, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Lists the keys of the projects that were not revoked, newest first. */
export async function listKeys(
  ctx: Context,
  { projectIds, status }: { projectIds: readonly number[] | 'every'; status: readonly ('active' | 'inactive')[] },
): Promise<ApiKeyRow[]> {
  const ids = projectIds === 'every' ? null : [...projectIds]
  return tables(ctx)
    .selectFrom('api_keys')
    .selectAll()
    .where('status', 'in', [...status])
    .where((key) => (ids === null ? key.lit(true) : key('project_id', '=', key.fn.any(key.val(ids)))))
    .orderBy('id', 'desc')
    .execute()
}

/** The columns that are read of a key when a call uses it. */
type UsableKey = Pick<
  ApiKeyRow,
  | 'id'
  | 'project_id'
  | 'scopes'
  | 'allowed_ips'
  | 'last_used_at'
  | 'created_by'
  | 'key_hash'
  | 'shown_to'
  | 'previous_hash'
  | 'previous_shown_to'
  | 'previous_until'
> & { readonly config_version: bigint }

/** Finds a key that works now by the hash of its text, and the version of the configuration. */
export const findUsableKey = gathered(listUsableKeys, nameOfHash)

/** Finds usable keys by the hashes of their text; each row carries the hash that was asked for. */
async function listUsableKeys(ctx: Context, hashes: readonly Buffer[]): Promise<Map<string, UsableKey>> {
  const now = ctx.now()
  const { rows } = await sql<UsableKey>`
    SELECT id, project_id, scopes, allowed_ips, last_used_at, created_by, key_hash, shown_to, previous_hash,
      previous_shown_to, previous_until, ${configVersion} AS config_version
    FROM api_keys WHERE (key_hash = ANY(${hashes}::bytea[]) OR previous_hash = ANY(${hashes}::bytea[]))
      AND status = 'active' AND (expires_at IS NULL OR expires_at > ${now})`.execute(ctx.db)
  const found = new Map<string, UsableKey>()
  for (const row of rows) {
    found.set(nameOfHash(row.key_hash), row)
    const { previous_hash: previous, previous_until: until } = row
    if (previous && until && until > now) found.set(nameOfHash(previous), row)
  }
  return found
}

function nameOfHash(hash: Buffer): string {
  return hash.toString('base64')
}

/** Writes when and from where a key was used. */
export async function updateLastUse(ctx: Context, id: number, ip: string): Promise<void> {
  await tables(ctx)
    .updateTable('api_keys')
    .set({ last_used_at: ctx.now(), last_used_ip: ip })
    .where('id', '=', id)
    .execute()
}

/** Finds a key of the projects by its id, revoked ones too. */
export async function findKey(
  ctx: Context,
  { id, projectIds }: { id: number; projectIds: readonly number[] | 'every' },
): Promise<ApiKeyRow | undefined> {
  const ids = projectIds === 'every' ? null : [...projectIds]
  return tables(ctx)
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where((key) => (ids === null ? key.lit(true) : key('project_id', '=', key.fn.any(key.val(ids)))))
    .executeTakeFirst()
}

/** What may change about a key while it is not revoked. */
export type KeyChange = Partial<
  Pick<
    ApiKeyRow,
    | 'name'
    | 'description'
    | 'scopes'
    | 'allowed_ips'
    | 'expires_at'
    | 'status'
    | 'key_hash'
    | 'key_prefix'
    | 'last4'
    | 'hmac_ref'
    | 'shown_to'
    | 'previous_hash'
    | 'previous_until'
    | 'previous_shown_to'
  >
>

/** Changes a key of the project; returns undefined when there is none that was not revoked. */
export async function updateKey(
  ctx: Context,
  { id, projectId }: { id: number; projectId: number },
  change: KeyChange,
): Promise<ApiKeyRow | undefined> {
  return tables(ctx)
    .updateTable('api_keys')
    .set({ ...change, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('status', 'in', ['active', 'inactive'])
    .returningAll()
    .executeTakeFirst()
}

/** Revokes a key of the project for good; returns undefined when there is none that was not revoked before. */
export async function moveToRevoked(
  ctx: Context,
  { id, projectId }: { id: number; projectId: number },
): Promise<ApiKeyRow | undefined> {
  return tables(ctx)
    .updateTable('api_keys')
    .set({ status: 'revoked', previous_hash: null, previous_until: null, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('status', 'in', ['active', 'inactive'])
    .returningAll()
    .executeTakeFirst()
}

/** Removes the reference to a key's signing states and returns it. */
export async function takeHmacRef(ctx: Context, id: number): Promise<number | null> {
  const row = await tables(ctx).selectFrom('api_keys').select('hmac_ref').where('id', '=', id).executeTakeFirst()
  await tables(ctx).updateTable('api_keys').set({ hmac_ref: null }).where('id', '=', id).execute()
  return row?.hmac_ref ?? null
}
