import type { SharedView } from '@kassa/contract/shared-views/schemas.ts'
import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { SharedViewRow, SharedViewTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<SharedViewTables>()

/** A view with the e-mail of who shared it; null once they were deleted. */
export type FoundView = SharedViewRow & { readonly email: string | null }

/** Lists the views of projects by name. */
export async function listViews(ctx: Context, projectIds: readonly number[] | 'every'): Promise<FoundView[]> {
  const { rows } = await sql<FoundView>`
    SELECT view.*, member.email FROM shared_views AS view
    LEFT JOIN operators AS member ON member.id = view.shared_by AND member.deleted_at IS NULL
    WHERE ${projectIds === 'every' ? sql`true` : sql`view.project_id = ANY (${[...projectIds]}::int[])`}
    ORDER BY lower(view.name), view.id`.execute(ctx.db)
  return rows
}

/** Lets one transaction at a time add views to a project, so that two cannot exceed the limit together. */
export async function lockViewsOf(ctx: Context, projectId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('shared_views'), ${projectId})`.execute(ctx.db)
}

/** Counts the views of a screen of a project. */
export async function countViews(ctx: Context, projectId: number, screen: SharedView['screen']): Promise<number> {
  const row = await tables(ctx)
    .selectFrom('shared_views')
    .select((count) => count.fn.countAll<bigint>().as('views'))
    .where('project_id', '=', projectId)
    .where('screen', '=', screen)
    .executeTakeFirstOrThrow()
  return Number(row.views)
}

export type NewView = Pick<SharedViewRow, 'project_id' | 'screen' | 'name' | 'search' | 'layout' | 'shared_by'>

/** Inserts a view; undefined when another one of the screen has its name. */
export async function insertView(ctx: Context, view: NewView): Promise<SharedViewRow | undefined> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('shared_views')
    .values({
      ...view,
      search: JSON.stringify(view.search),
      layout: JSON.stringify(view.layout),
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Locks a view of a project until the transaction ends; undefined when there is none of this id. */
export async function lockView(ctx: Context, projectId: number, id: number): Promise<SharedViewRow | undefined> {
  return tables(ctx)
    .selectFrom('shared_views')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .forUpdate()
    .executeTakeFirst()
}

/** Whether another view of the screen has a name. */
export async function isNameTaken(ctx: Context, view: SharedViewRow, name: string): Promise<boolean> {
  const row = await tables(ctx)
    .selectFrom('shared_views')
    .select('id')
    .where('project_id', '=', view.project_id)
    .where('screen', '=', view.screen)
    .where(sql`lower(name)`, '=', sql<string>`lower(${name})`)
    .where('id', '<>', view.id)
    .executeTakeFirst()
  return row !== undefined
}

/** Replaces what a view holds. */
export async function updateView(
  ctx: Context,
  id: number,
  { name, search, layout }: Pick<SharedViewRow, 'name' | 'search' | 'layout'>,
): Promise<SharedViewRow> {
  return tables(ctx)
    .updateTable('shared_views')
    .set({ name, search: JSON.stringify(search), layout: JSON.stringify(layout), updated_at: ctx.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a view. */
export async function deleteView(ctx: Context, id: number): Promise<void> {
  await tables(ctx).deleteFrom('shared_views').where('id', '=', id).execute()
}
