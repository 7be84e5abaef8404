import type { AlarmKind } from '@kassa/contract/alarms/schemas.ts'
import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { AlarmRow, AlarmTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<AlarmTables>()

/** Opens an alarm, or updates what the open one says; `isNew` says which. */
export async function upsertAlarm(
  ctx: Context,
  alarm: { kind: AlarmKind; subject: string; params: unknown; text: string },
): Promise<{ isNew: boolean }> {
  const { kind, subject, text } = alarm
  const params = JSON.stringify(alarm.params)
  const row = await tables(ctx)
    .insertInto('alarms')
    .values({ kind, subject, params, text, raised_at: ctx.now(), cleared_at: null })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subject']).where('cleared_at', 'is', null).doUpdateSet({ params, text }),
    )
    // A row version that no update has replaced yet was inserted by this statement (system column xmax).
    .returning(sql<boolean>`(xmax = 0)`.as('is_new'))
    .executeTakeFirstOrThrow()
  return { isNew: row.is_new }
}

/** Closes the open alarm of a subject; false when there is none. */
export async function closeAlarm(
  ctx: Context,
  { kind, subject }: { kind: AlarmKind; subject: string },
): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('alarms')
    .set({ cleared_at: ctx.now() })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('cleared_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Finds an alarm that is open. */
export async function findOpenAlarm(ctx: Context, id: number): Promise<AlarmRow | undefined> {
  return tables(ctx)
    .selectFrom('alarms')
    .selectAll()
    .where('id', '=', id)
    .where('cleared_at', 'is', null)
    .executeTakeFirst()
}

/** Lists the open alarms, oldest first. */
export async function listOpenAlarms(ctx: Context): Promise<AlarmRow[]> {
  return tables(ctx)
    .selectFrom('alarms')
    .selectAll()
    .where('cleared_at', 'is', null)
    .orderBy('raised_at')
    .orderBy('id')
    .execute()
}
