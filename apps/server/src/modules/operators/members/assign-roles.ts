import { ApiError, fail } from '@kassa/contract/kit/api-error.ts'
import type { AssignRole } from '@kassa/contract/operators/member-schemas.ts'

import { type Context, type ProjectScope } from '../../../context.ts'
import { assignmentsOf, changingMembers, getManaged, getRemovable } from '../accounts/service.ts'
import { listActiveProjects, listRoles, upsertRole } from '../accounts/store.ts'
import { mayGrant, placementOf, roleId } from '../roles/rules.ts'
import { type Role, roleNamed } from '../roles/service.ts'
import { deleteRoles } from './store.ts'

/** A role that the caller may give, and its projects; null is the whole install. */
export type RoleChoice = { readonly role: Role; readonly projectIds: readonly (number | null)[] }

/**
 * Reads which role is to be given, and where. Call it in `changingMembers`.
 * @throws ROLE_NOT_FOUND, ROLE_NEEDS_PROJECT, ROLE_ABOVE_YOURS, PROJECT_NOT_FOUND, VALIDATION_FAILED
 */
export async function roleChosen(ctx: Context, scope: ProjectScope, asked: AssignRole): Promise<RoleChoice> {
  const role = (await roleNamed(ctx, asked)) ?? fail('ROLE_NOT_FOUND')
  const wanted = asked.projectIDs ?? (asked.externalPlatformID === undefined ? [] : [asked.externalPlatformID])
  const placement = placementOf(role.places, wanted)
  if ('refused' in placement) return refusePlacement(placement.refused)
  const known = await listActiveProjects(ctx, wanted)
  const { projectIds: visible } = scope
  const isVisible = (id: number) => visible === 'every' || visible.includes(id)
  if (wanted.some((id) => !isVisible(id) || !known.some((project) => project.id === id))) {
    return fail('PROJECT_NOT_FOUND')
  }
  const { caller } = ctx
  const own = caller.kind === 'operator' ? await assignmentsOf(ctx, caller.operatorId) : []
  const given = placement.projectIds.map((projectId) => ({
    projectId,
    roleId: role.id,
    permissions: role.permissions,
  }))
  if (caller.kind !== 'system' && !given.every((one) => mayGrant(own, one))) return fail('ROLE_ABOVE_YOURS')
  return { role, projectIds: placement.projectIds }
}

function refusePlacement(refused: 'ROLE_NOT_FOUND' | 'ROLE_NEEDS_PROJECT' | 'NOT_IN_PROJECTS'): never {
  if (refused === 'ROLE_NEEDS_PROJECT') {
    return fail('ROLE_NEEDS_PROJECT', { fields: { projectIDs: 'Choose at least one project.' } })
  }
  if (refused === 'ROLE_NOT_FOUND') return fail('ROLE_NOT_FOUND')
  const text = 'This role is for the whole install: name no project.'
  throw new ApiError('VALIDATION_FAILED', { message: text, fields: { projectIDs: text } })
}

/**
 * Gives a member a role: in projects, in addition to roles in other projects, or in the whole install, in place of all of them.
 * Emits operator.roles_changed.
 * @throws MEMBER_NOT_FOUND, CANNOT_CHANGE_SELF, LAST_ROOT, and as `roleChosen`
 */
export async function assignRole(ctx: Context, scope: ProjectScope, id: number, asked: AssignRole): Promise<void> {
  await grantRole(ctx, scope, { id, asked, replaced: 'same' })
}

/** Gives a member a role in place of all others; otherwise like `assignRole`. */
export async function replaceRoles(ctx: Context, scope: ProjectScope, id: number, asked: AssignRole): Promise<void> {
  await grantRole(ctx, scope, { id, asked, replaced: 'all' })
}

async function grantRole(
  ctx: Context,
  scope: ProjectScope,
  { id, asked, replaced }: { id: number; asked: AssignRole; replaced: 'same' | 'all' },
): Promise<void> {
  await changingMembers(ctx, async (tx) => {
    const role = await roleNamed(tx, asked)
    // A member who stays a root takes no root away.
    if (role?.id === roleId('root')) await getManaged(tx, id)
    else await getRemovable(tx, id)
    const choice = await roleChosen(tx, scope, asked)
    const former = (await listRoles(tx, id)).map((held) => ({ role: held.role_id, project: held.project_id }))
    const isForInstall = choice.projectIds.includes(null)
    await deleteRoles(tx, id, replaced === 'all' ? 'all' : isForInstall ? 'projects' : 'install')
    await storeRoles(tx, id, choice)
    const given = choice.projectIds.map((project) => ({ role: choice.role.id, project }))
    tx.change({ memberID: id, roles: former }, { memberID: id, given })
    await tx.events.emit(tx, {
      type: 'operator.roles_changed',
      projectId: null,
      payload: { memberID: id, role: choice.role.name, projectIDs: choice.projectIds.filter((one) => one !== null) },
    })
  })
}

/** Stores a role that was chosen. Joins the open transaction. */
export async function storeRoles(ctx: Context, operatorId: number, { role, projectIds }: RoleChoice): Promise<void> {
  for (const projectId of projectIds) await upsertRole(ctx, { operatorId, projectId, roleId: role.id })
}
