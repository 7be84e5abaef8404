/** Roles define what members may do: built-in ones in the contract, custom ones in their rows (api.md 3.2). */
import type { Role as RoleShape } from '@kassa/contract/operators/member-schemas.ts'
import { FIRST_CUSTOM_ROLE, type Permission, type RolePlace, ROLES } from '@kassa/contract/permissions.ts'

import type { Context } from '../../../context.ts'
import { findRole, findRoleByName, listRoleRows } from './store.ts'
import { permissionsOfRole } from './rules.ts'
import type { RoleRow } from './tables.ts'

/** A role, built-in or custom, as the rest of the program reads it. */
export type Role = {
  readonly id: number
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly scope: RoleShape['scope']
  readonly places: readonly RolePlace[]
  readonly permissions: readonly Permission[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Turns a row into a role; of a built-in one, the contract says what it permits. */
export function asRole(row: RoleRow): Role {
  const { id, name } = row
  const times = { createdAt: row.created_at, updatedAt: row.updated_at }
  const scope = row.place ?? 'project'
  const permissions = permissionsOfRole(id, row.permissions, scope)
  const builtIn = id < FIRST_CUSTOM_ROLE ? ROLES.find((role) => role.id === id) : undefined
  if (builtIn) return { ...builtIn, permissions, ...times }
  const shown = { displayName: row.display_name ?? name, description: row.description ?? '' }
  return { id, name, ...shown, scope, places: [scope], permissions, ...times }
}

/** Lists every role by id. */
export async function listAllRoles(ctx: Context): Promise<Role[]> {
  return (await listRoleRows(ctx)).map(asRole)
}

/** Finds a role by its id or, where there is none, its name. */
export async function roleNamed(
  ctx: Context,
  { roleID, roleName }: { readonly roleID?: number | undefined; readonly roleName?: string | undefined },
): Promise<Role | undefined> {
  const row = roleID === undefined ? await findRoleByName(ctx, roleName ?? '') : await findRole(ctx, roleID)
  return row && asRole(row)
}
