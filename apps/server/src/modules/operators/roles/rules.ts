import { isHeldIn } from '@kassa/contract/operators/role-places.ts'
import {
  FIRST_CUSTOM_ROLE,
  isPermission,
  type Permission,
  PERMISSIONS,
  permissionsOf,
  type RoleName,
  type RolePlace,
  ROLES,
} from '@kassa/contract/permissions.ts'

/** What a role permits: a built-in one by its column in the matrix, a custom one by its row. */
export type RolePermissions = { readonly roleId: number; readonly permissions: readonly Permission[] }

/** A role assigned in one project, or with null in the whole install. */
export type RoleAssignment = RolePermissions & { readonly projectId: number | null }

export type GrantedPermissions = {
  readonly install: ReadonlySet<Permission>
  readonly everywhere: ReadonlySet<Permission>
  readonly projects: ReadonlyMap<number, ReadonlySet<Permission>>
}

/**
 * Returns what an operator with these roles may do. A role for the whole install grants its permissions in every project. A
 * permission that exists once per install and may be held in a project counts for the install when a project's role grants it,
 * and then covers the rows of that project alone.
 */
export function permissionsOfRoles(assigned: readonly RoleAssignment[]): GrantedPermissions {
  const install = new Set<Permission>()
  const everywhere = new Set<Permission>()
  const projects = new Map<number, ReadonlySet<Permission>>()
  for (const { projectId, permissions } of assigned) {
    for (const permission of permissions) {
      if (projectId === null) everywhere.add(permission)
      if (projectId === null || PERMISSIONS[permission].scope === 'install') install.add(permission)
    }
    if (projectId !== null) projects.set(projectId, new Set(permissions))
  }
  return { install, everywhere, projects }
}

/**
 * Whether holders of the first roles may manage a holder of the others (api.md 3.2). A root manages everybody. Others need
 * operator:write, and only roles that permit less than theirs: they do not manage a member who works in a project beyond those
 * they lead, and a member without any role belongs to administrators.
 */
export function mayManage(own: readonly RoleAssignment[], others: readonly RoleAssignment[]): boolean {
  if (isRoot(own)) return true
  if (others.length === 0) return managing(own).some(({ projectId }) => projectId === null)
  return others.every((other) => mayGrant(own, other))
}

/** Whether holders of these roles may give that one, where it is to be held; the same comparison as `mayManage`. */
export function mayGrant(own: readonly RoleAssignment[], given: RoleAssignment): boolean {
  return isRoot(own) || managing(own).some((role) => reaches(role, given) && permitsLess(given, role))
}

/**
 * Whether holders of these roles may create or change a role with these permissions: only a root creates one equal to
 * their own.
 */
export function mayDefine(own: readonly RoleAssignment[], permissions: readonly Permission[]): boolean {
  const defined = { roleId: 0, permissions }
  const everywhere = own.filter((role) => role.projectId === null && role.permissions.includes('role:write'))
  return isRoot(own) || everywhere.some((role) => permitsLess(defined, role))
}

/** Whether holders of the first roles may see a holder of the others: they share a project. */
export function mayKnow(own: readonly RoleAssignment[], others: readonly RoleAssignment[]): boolean {
  return own
    .filter(({ permissions }) => permissions.includes('operator:read'))
    .some(
      (role) =>
        role.projectId === null ||
        others.some((other) => other.projectId === null || other.projectId === role.projectId),
    )
}

/** Whether one of the roles is that of a root. */
export function isRoot(own: readonly RoleAssignment[]): boolean {
  return own.some(({ projectId, roleId: id }) => projectId === null && id === roleId('root'))
}

function managing(own: readonly RoleAssignment[]): RoleAssignment[] {
  return own.filter(({ permissions }) => permissions.includes('operator:write'))
}

function reaches(role: RoleAssignment, other: RoleAssignment): boolean {
  return role.projectId === null || role.projectId === other.projectId
}

function permitsLess(lower: RolePermissions, higher: RolePermissions): boolean {
  const [less, more] = [lower.permissions, higher.permissions]
  return less.length < more.length && less.every((permission) => more.includes(permission))
}

/** Returns the id of a built-in role. @throws Error when no role has this name */
export function roleId(name: RoleName): number {
  const role = ROLES.find((candidate) => candidate.name === name)
  if (!role) throw new Error(`There is no role ${name}`)
  return role.id
}

/**
 * Returns what a role permits where it is held; permissions of a custom one that this version does not know, or that count for
 * the whole install only, are ignored.
 */
export function permissionsOfRole(id: number, custom: readonly string[] | null, place: RolePlace): Permission[] {
  if (id >= FIRST_CUSTOM_ROLE) return (custom ?? []).filter(isPermission).filter((name) => isHeldIn(name, place))
  const role = ROLES.find((candidate) => candidate.id === id)
  return role ? permissionsOf(role.name) : []
}

/** Where a role is given: in the whole install (null), or in projects. */
export type Placement =
  | { readonly projectIds: readonly (number | null)[] }
  | { readonly refused: 'ROLE_NOT_FOUND' | 'ROLE_NEEDS_PROJECT' | 'NOT_IN_PROJECTS' }

/** Returns the places in which a role is given when it is asked for in these projects; without any, in the whole install. */
export function placementOf(places: readonly RolePlace[], projectIds: readonly number[]): Placement {
  if (places.length === 0) return { refused: 'ROLE_NOT_FOUND' }
  if (projectIds.length > 0) {
    return places.includes('project') ? { projectIds: [...new Set(projectIds)] } : { refused: 'NOT_IN_PROJECTS' }
  }
  return places.includes('install') ? { projectIds: [null] } : { refused: 'ROLE_NEEDS_PROJECT' }
}

/** What `GET /member/{id}` and the lists may show of a member's roles: those of projects the reader sees. */
export function visibleRoles<Role extends { readonly project_id: number | null }>(
  roles: readonly Role[],
  projectIds: readonly number[] | 'every',
): Role[] {
  return roles.filter(({ project_id: id }) => id === null || projectIds === 'every' || projectIds.includes(id))
}
