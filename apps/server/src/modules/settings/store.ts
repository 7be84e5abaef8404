import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { ConfigurationRow, SettingReads, SettingTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<SettingTables & SettingReads>()

/** Lets one transaction at a time set a key: each forgets the secret that it replaces. */
export async function lockConfiguration(ctx: Context, key: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('configuration'), hashtext(${key}))`.execute(ctx.db)
}

/** Finds what was set under a key. */
export async function findConfiguration(ctx: Context, key: string): Promise<ConfigurationRow | undefined> {
  return tables(ctx).selectFrom('configuration').selectAll().where('key', '=', key).executeTakeFirst()
}

/** Lists what was set under these keys. */
export async function listConfiguration(ctx: Context, keys: readonly string[]): Promise<ConfigurationRow[]> {
  return tables(ctx).selectFrom('configuration').selectAll().where('key', 'in', keys).execute()
}

/** Sets a key's value or secret; `isNew` says whether it had none. One statement, so that two writers cannot clash. */
export async function upsertConfiguration(
  ctx: Context,
  setting: { key: string; value: string | null; secretId: number | null },
): Promise<{ row: ConfigurationRow; isNew: boolean }> {
  const now = ctx.now()
  const { is_new: isNew, ...row } = await tables(ctx)
    .insertInto('configuration')
    .values({
      key: setting.key,
      value: setting.value,
      secret_id: setting.secretId,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value: setting.value, secret_id: setting.secretId, updated_at: now }),
    )
    .returningAll()
    // A row version that no update has replaced yet was inserted by this statement (system column xmax).
    .returning(sql<boolean>`(xmax = 0)`.as('is_new'))
    .executeTakeFirstOrThrow()
  return { row, isNew }
}

/** Removes what was set under a key and returns it, if there was anything. */
export async function deleteConfiguration(ctx: Context, key: string): Promise<ConfigurationRow | undefined> {
  return tables(ctx).deleteFrom('configuration').where('key', '=', key).returningAll().executeTakeFirst()
}

/** Whether a mail server was set. */
export async function isMailServerSet(ctx: Context): Promise<boolean> {
  return (await tables(ctx).selectFrom('mail_server').select('only_row').executeTakeFirst()) !== undefined
}
