import { fail } from '@kassa/contract/kit/api-error.ts'
import type { PermissionRow, RoleInput } from '@kassa/contract/operators/member-schemas.ts'
import { FIRST_CUSTOM_ROLE, isPermission, PERMISSION_NAMES, PERMISSIONS } from '@kassa/contract/permissions.ts'

import type { Context } from '../../../context.ts'
import { assignmentsOf, changingMembers } from '../accounts/service.ts'
import { mayDefine, roleId } from '../roles/rules.ts'
import { asRole, listAllRoles, type Role } from '../roles/service.ts'
import { deleteRoleRow, findRole, findRoleByName, insertRole, listHolders, updateRole } from '../roles/store.ts'

/** Lists the roles that can be assigned on screen: all but root, including those that no member has. */
export async function listAssignableRoles(ctx: Context): Promise<Role[]> {
  return (await listAllRoles(ctx)).filter(({ id, places }) => id !== roleId('root') && places.length > 0)
}

/** Lists the permissions, each with the names of the roles that have it. */
export async function listPermissions(ctx: Context): Promise<PermissionRow[]> {
  const roles = (await listAllRoles(ctx)).filter(({ places }) => places.length > 0)
  return PERMISSION_NAMES.map((name) => ({
    name,
    scope: PERMISSIONS[name].scope,
    description: PERMISSIONS[name].allows,
    roles: roles.filter(({ permissions }) => permissions.includes(name)).map((role) => role.name),
  }))
}

/** Makes a custom role and emits role.changed. @throws ROLE_EXISTS, PERMISSION_UNKNOWN, ROLE_ABOVE_YOURS */
export async function createRole(ctx: Context, input: RoleInput): Promise<Role> {
  return changingMembers(ctx, async (tx) => {
    const facts = await factsOf(tx, input)
    if (await findRoleByName(tx, input.name)) return refuseName()
    const role = asRole(await insertRole(tx, facts))
    tx.change(null, role)
    await announce(tx, role.id, role.name)
    return role
  })
}

/**
 * Changes a custom role for everybody who has it: emits role.changed, and operator.roles_changed for each of them.
 * @throws ROLE_NOT_FOUND, ROLE_BUILT_IN, ROLE_EXISTS, PERMISSION_UNKNOWN, ROLE_ABOVE_YOURS, and ROLE_IN_USE when a holder has
 * it where it could no longer be assigned
 */
export async function changeRole(ctx: Context, id: number, input: RoleInput): Promise<Role> {
  return changingMembers(ctx, async (tx) => {
    const former = await getCustomRole(tx, id)
    const facts = await factsOf(tx, input)
    const namesake = await findRoleByName(tx, input.name)
    if (namesake && namesake.id !== id) return refuseName()
    const holders = await listHolders(tx, id)
    if (former.scope !== input.scope && holders.length > 0) return fail('ROLE_IN_USE')
    const role = asRole(await updateRole(tx, id, facts))
    tx.change(former, role)
    await announce(tx, id, role.name)
    await tx.events.emitAll(
      tx,
      holders.map((memberID) => ({
        type: 'operator.roles_changed' as const,
        projectId: null,
        payload: { memberID, role: role.name },
      })),
    )
    return role
  })
}

/** Deletes a custom role and emits role.changed. @throws ROLE_NOT_FOUND, ROLE_BUILT_IN, ROLE_IN_USE, ROLE_ABOVE_YOURS */
export async function deleteRole(ctx: Context, id: number): Promise<void> {
  await changingMembers(ctx, async (tx) => {
    const role = await getCustomRole(tx, id)
    if ((await listHolders(tx, id)).length > 0) return fail('ROLE_IN_USE')
    await deleteRoleRow(tx, id)
    tx.change(role, null)
    await announce(tx, id, role.name)
  })
}

/** The custom role of this id, if the caller could have created it. */
async function getCustomRole(ctx: Context, id: number): Promise<Role> {
  const role = asRole((await findRole(ctx, id)) ?? fail('ROLE_NOT_FOUND'))
  if (id < FIRST_CUSTOM_ROLE) return fail('ROLE_BUILT_IN')
  await requireDefinable(ctx, role.permissions)
  return role
}

async function factsOf(ctx: Context, { name, displayName, description, permissions, scope }: RoleInput) {
  const unknown = permissions.find((permission) => !isPermission(permission))
  if (unknown !== undefined) return fail('PERMISSION_UNKNOWN', { values: { name: unknown } })
  const known = PERMISSION_NAMES.filter((permission) => permissions.includes(permission))
  await requireDefinable(ctx, known)
  return { name, display_name: displayName, description: description ?? '', place: scope, permissions: known }
}

async function requireDefinable(ctx: Context, permissions: Role['permissions']): Promise<void> {
  const { caller } = ctx
  if (caller.kind === 'system') return
  const own = caller.kind === 'operator' ? await assignmentsOf(ctx, caller.operatorId) : []
  if (!mayDefine(own, permissions)) fail('ROLE_ABOVE_YOURS')
}

function refuseName(): never {
  return fail('ROLE_EXISTS', { fields: { name: 'A role of this name exists.' } })
}

async function announce(ctx: Context, id: number, name: string): Promise<void> {
  await ctx.events.emit(ctx, { type: 'role.changed', projectId: null, payload: { roleID: id, role: name } })
}
