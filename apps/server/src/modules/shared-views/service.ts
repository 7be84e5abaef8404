/** Views of lists that members of a project share: whoever may read a list may share and use views of it (0077). */
import { fail } from '@kassa/contract/kit/api-error.ts'
import {
  type ChangeSharedView,
  MOST_SHARED_VIEWS,
  type NewSharedView,
  type SharedView,
} from '@kassa/contract/shared-views/schemas.ts'

import { type Context, inTransaction, type ProjectScope } from '../../context.ts'
import { narrowScope } from '../../http/access.ts'
import {
  countViews,
  deleteView,
  type FoundView,
  insertView,
  isNameTaken,
  listViews,
  lockView,
  lockViewsOf,
  updateView,
} from './store.ts'
import type { SharedViewRow } from './tables.ts'

/** The views of the projects, by name. */
export async function sharedViews(ctx: Context, scope: ProjectScope): Promise<SharedView[]> {
  return (await listViews(ctx, scope.projectIds)).map((row) => viewOf(ctx, row))
}

/** Shares a view in a project. @throws SHARED_VIEW_EXISTS, SHARED_VIEW_LIMIT */
export async function shareView(ctx: Context, projectId: number, view: NewSharedView): Promise<SharedView> {
  return inTransaction(ctx, async (tx) => {
    await lockViewsOf(tx, projectId)
    if ((await countViews(tx, projectId, view.screen)) >= MOST_SHARED_VIEWS) fail('SHARED_VIEW_LIMIT')
    const row = await insertView(tx, { ...view, project_id: projectId, shared_by: memberOf(tx) })
    if (!row) return refuseName()
    tx.change(null, shown(row))
    return read(tx, row)
  })
}

/** Changes a view; absent parts stay. @throws SHARED_VIEW_NOT_FOUND, SHARED_VIEW_EXISTS, FORBIDDEN */
export async function changeSharedView(
  ctx: Context,
  projectId: number,
  id: string,
  change: ChangeSharedView,
): Promise<SharedView> {
  return inTransaction(ctx, async (tx) => {
    // Names are compared under the lock that new views take, too.
    await lockViewsOf(tx, projectId)
    const row = await lockChangeable(tx, projectId, id)
    const { name = row.name, search = row.search, layout = row.layout } = change
    if (await isNameTaken(tx, row, name)) return refuseName()
    const changed = await updateView(tx, row.id, { name, search, layout })
    tx.change(shown(row), shown(changed))
    return read(tx, changed)
  })
}

/** Deletes a view. @throws SHARED_VIEW_NOT_FOUND, FORBIDDEN */
export async function deleteSharedView(ctx: Context, projectId: number, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockChangeable(tx, projectId, id)
    await deleteView(tx, row.id)
    tx.change(shown(row), null)
  })
}

/** @throws SHARED_VIEW_NOT_FOUND, FORBIDDEN */
async function lockChangeable(tx: Context, projectId: number, id: string): Promise<SharedViewRow> {
  const row = /^[1-9]\d{0,8}$/.test(id) ? await lockView(tx, projectId, Number(id)) : undefined
  if (!row) return fail('SHARED_VIEW_NOT_FOUND')
  if (mayChange(tx, row)) return row
  const permission = 'project:update'
  const details = 'Only whoever shared a view, or may change the project, changes it. Save it as a view of your own.'
  return fail('FORBIDDEN', { values: { permission, project: 'this project' }, details, data: { permission } })
}

/** Whoever shared it, and who may change the project: somebody must be able to tidy up after members who left. */
function mayChange({ caller }: Context, { shared_by: sharedBy, project_id: projectId }: SharedViewRow): boolean {
  if (caller.kind === 'operator' && caller.operatorId === sharedBy) return true
  return narrowScope(caller, { projectId, projectIds: [projectId] }, 'project:update') !== null
}

function refuseName(): never {
  return fail('SHARED_VIEW_EXISTS', { fields: { name: 'There is a shared view of this name' } })
}

async function read(ctx: Context, row: SharedViewRow): Promise<SharedView> {
  const found = (await listViews(ctx, [row.project_id])).find(({ id }) => id === row.id)
  return viewOf(ctx, found ?? { ...row, email: null })
}

function viewOf(ctx: Context, row: FoundView): SharedView {
  return {
    id: row.id,
    externalPlatformID: row.project_id,
    screen: row.screen,
    name: row.name,
    search: row.search,
    layout: row.layout,
    sharedBy: row.email === null ? null : { memberID: row.shared_by, email: row.email },
    mayChange: mayChange(ctx, row),
    updatedAt: row.updated_at,
  }
}

/** What the activity log shows of a view. */
function shown({ id, screen, name, search, layout }: SharedViewRow) {
  return { id, screen, name, search, layout }
}

function memberOf({ caller }: Context): number {
  return caller.kind === 'operator' ? caller.operatorId : fail('UNAUTHORIZED')
}
