import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { WebhookTables } from '../record/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WebhookTables>()

/** An attempt opens its secrets within this time after it has read their ids. */
const STILL_OPENED_MS = 10 * 60_000

export type KeyRow = Selectable<WebhookTables['webhook_keys']>

/** The key that signs now. */
export async function findKey(ctx: Context): Promise<KeyRow | undefined> {
  return tables(ctx).selectFrom('webhook_keys').selectAll().where('until_at', 'is', null).executeTakeFirst()
}

/** Every key that signed, newest first. */
export async function listKeys(ctx: Context): Promise<KeyRow[]> {
  return tables(ctx).selectFrom('webhook_keys').selectAll().orderBy('id', 'desc').execute()
}

/** Lets one transaction at a time create a key. */
export async function lockKeys(ctx: Context): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('webhook_keys'))`.execute(ctx.db)
}

/** Inserts a key that signs from now on. */
export async function insertKey(
  ctx: Context,
  key: Pick<Insertable<WebhookTables['webhook_keys']>, 'public_key' | 'secret_ref'>,
): Promise<KeyRow> {
  return tables(ctx)
    .insertInto('webhook_keys')
    .values({ ...key, from_at: ctx.now(), until_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Ids of the endpoint's old secrets that still sign. */
export async function listOldSecrets(ctx: Context, webhookId: number): Promise<number[]> {
  const rows = await tables(ctx)
    .selectFrom('webhook_old_secrets')
    .select('secret_ref')
    .where('webhook_id', '=', webhookId)
    .where('expires_at', '>', ctx.now())
    .orderBy('expires_at', 'desc')
    .execute()
  return rows.map((row) => row.secret_ref)
}

/** The signing states of a project's newest API key that works; null when it has none, or there is no such key. */
export function newestKeyStates(ctx: Context, projectId: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`(
    SELECT key.hmac_ref FROM api_keys AS key
    WHERE key.project_id = ${projectId} AND key.status = 'active'
      AND (key.expires_at IS NULL OR key.expires_at > ${ctx.now()})
    ORDER BY key.id DESC LIMIT 1)`
}

/** The same for one project. */
export async function findNewestKeyStates(ctx: Context, projectId: number): Promise<number | null> {
  const { rows } = await sql<{ ref: number | null }>`
    SELECT ${newestKeyStates(ctx, sql`${projectId}::int`)} AS ref`.execute(ctx.db)
  return rows[0]?.ref ?? null
}

/** When the last old secret of each endpoint stops signing, of those that have one. */
export async function oldSecretEnds(ctx: Context, webhookIds: readonly number[]): Promise<ReadonlyMap<number, Date>> {
  if (webhookIds.length === 0) return new Map()
  const rows = await tables(ctx)
    .selectFrom('webhook_old_secrets')
    .select((e) => ['webhook_id', e.fn.max('expires_at').as('ends')])
    .where('webhook_id', 'in', webhookIds)
    .where('expires_at', '>', ctx.now())
    .groupBy('webhook_id')
    .execute()
  return new Map(rows.map(({ webhook_id, ends }) => [webhook_id, ends]))
}

/** Lets an old secret sign until `expiresAt`. */
export async function insertOldSecret(
  ctx: Context,
  row: Insertable<WebhookTables['webhook_old_secrets']>,
): Promise<void> {
  await tables(ctx).insertInto('webhook_old_secrets').values(row).execute()
}

/** Deletes old secrets that no longer sign and returns their ids. */
export async function deleteOldSecrets(ctx: Context): Promise<number[]> {
  const rows = await tables(ctx)
    .deleteFrom('webhook_old_secrets')
    .where('expires_at', '<=', new Date(ctx.now().getTime() - STILL_OPENED_MS))
    .returning('secret_ref')
    .execute()
  const ids = rows.map((row) => row.secret_ref)
  const used = await tables(ctx)
    .selectFrom('webhooks')
    .select('secret_ref')
    .where('secret_ref', 'in', [0, ...ids])
    .execute()
  const stillSigning = new Set(used.map((row) => row.secret_ref))
  // A secret that was set again still signs: it is old and current at once.
  return ids.filter((id) => !stillSigning.has(id))
}
