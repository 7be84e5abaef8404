import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Context } from '../../context.ts'
import type { ProjectTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<ProjectTables>()

export type ProjectRow = Selectable<ProjectTables['projects']>
export type ProjectValues = Updateable<ProjectTables['projects']>

/** Adds a project and gives its row. */
export async function insertProject(ctx: Context, values: ProjectValues & { name: string }): Promise<ProjectRow> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('projects')
    .values({ ...values, created_at: now, updated_at: now } as Insertable<ProjectTables['projects']>)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes the project unless it was changed after `lastChange`; undefined when it was. */
export async function updateProject(
  ctx: Context,
  id: number,
  values: ProjectValues,
  lastChange: Date | null,
): Promise<ProjectRow | undefined> {
  let query = tables(ctx)
    .updateTable('projects')
    .set({ ...values, updated_at: ctx.now() })
    .where('id', '=', id)
  if (lastChange) query = query.where('updated_at', '<=', lastChange)
  return query.returningAll().executeTakeFirst()
}

/** Moves a project between active and archived; undefined when it is there already. */
export async function moveStatus(ctx: Context, id: number, to: ProjectRow['status']): Promise<ProjectRow | undefined> {
  return tables(ctx)
    .updateTable('projects')
    .set({ status: to, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('status', '!=', to)
    .returningAll()
    .executeTakeFirst()
}

/** The project of an id, archived or not. */
export async function findProjectRow(ctx: Context, id: number): Promise<ProjectRow | undefined> {
  return tables(ctx).selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Projects ordered by id, ascending. */
export async function listProjectRows(ctx: Context, ids: readonly number[] | 'every'): Promise<ProjectRow[]> {
  const query = tables(ctx).selectFrom('projects').selectAll().orderBy('id')
  if (ids === 'every') return query.execute()
  return ids.length === 0 ? [] : query.where('id', 'in', ids).execute()
}

/** Stores a picture under its name; the same picture again changes nothing. */
export async function insertUpload(ctx: Context, upload: Insertable<ProjectTables['uploads']>): Promise<void> {
  await tables(ctx)
    .insertInto('uploads')
    .values(upload)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The picture of a name. */
export async function findUpload(
  ctx: Context,
  name: string,
): Promise<Selectable<ProjectTables['uploads']> | undefined> {
  return tables(ctx).selectFrom('uploads').selectAll().where('name', '=', name).executeTakeFirst()
}
