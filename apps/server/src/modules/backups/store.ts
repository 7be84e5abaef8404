import type { Insertable } from 'kysely'

import type { Context } from '../../context.ts'
import type { BackupRow, BackupTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<BackupTables>()

/** Adds a backup. */
export async function insertBackup(ctx: Context, row: Insertable<BackupTables['backups']>): Promise<void> {
  await tables(ctx).insertInto('backups').values(row).execute()
}

/** Finds the backup that holds the newest moment. */
export async function findNewestBackup(ctx: Context): Promise<BackupRow | undefined> {
  return tables(ctx)
    .selectFrom('backups')
    .selectAll()
    .orderBy('taken_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Finds the backup that the install was restored from most recently. */
export async function findRestored(ctx: Context): Promise<BackupRow | undefined> {
  return tables(ctx)
    .selectFrom('backups')
    .selectAll()
    .where('kind', '=', 'restored')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
