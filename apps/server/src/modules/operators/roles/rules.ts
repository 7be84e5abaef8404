import { type Permission, PERMISSIONS, permissionsOf, ROLES } from '@kassa/contract/permissions.ts'

/** A role assigned in one project, or with null in the whole install. */
export type RoleAssignment = { readonly projectId: number | null; readonly roleId: number }

export type GrantedPermissions = {
  readonly install: ReadonlySet<Permission>
  readonly everywhere: ReadonlySet<Permission>
  readonly projects: ReadonlyMap<number, ReadonlySet<Permission>>
}

/**
 * Returns what an operator with these roles may do. A role for the whole install grants its permissions everywhere, in every
 * project; a permission that is granted once per install counts for it even when a project's role brings it, and reaches
 * that project's rows alone.
 */
export function permissionsOfRoles(assigned: readonly RoleAssignment[]): GrantedPermissions {
  const install = new Set<Permission>()
  const everywhere = new Set<Permission>()
  const projects = new Map<number, ReadonlySet<Permission>>()
  for (const { projectId, roleId } of assigned) {
    const permissions = permissionsOfRoleId(roleId)
    for (const permission of permissions) {
      if (projectId === null) everywhere.add(permission)
      if (projectId === null || PERMISSIONS[permission].scope === 'install') install.add(permission)
    }
    if (projectId !== null) projects.set(projectId, new Set(permissions))
  }
  return { install, everywhere, projects }
}

/**
 * Whether holders of the first roles may manage a holder of the others (api.md 3.2). A root manages everybody. Others
 * manage where they hold operator:write and only roles that permit less than theirs: who works in one more project than
 * they lead is not theirs, and who works nowhere is an administrator's.
 */
export function mayManage(own: readonly RoleAssignment[], others: readonly RoleAssignment[]): boolean {
  if (own.some(({ projectId, roleId: id }) => projectId === null && id === roleId('root'))) return true
  const managing = own.filter(permits('operator:write'))
  if (others.length === 0) return managing.some(({ projectId }) => projectId === null)
  return others.every((other) =>
    managing.some((role) => reaches(role, other) && permitsLess(other.roleId, role.roleId)),
  )
}

/** Whether holders of the first roles learn that a holder of the others exists: they share a place of work. */
export function mayKnow(own: readonly RoleAssignment[], others: readonly RoleAssignment[]): boolean {
  return own
    .filter(permits('operator:read'))
    .some(
      (role) =>
        role.projectId === null ||
        others.some((other) => other.projectId === null || other.projectId === role.projectId),
    )
}

function permits(permission: Permission) {
  return ({ roleId: id }: RoleAssignment) => permissionsOfRoleId(id).includes(permission)
}

function reaches(role: RoleAssignment, other: RoleAssignment): boolean {
  return role.projectId === null || role.projectId === other.projectId
}

function permitsLess(lower: number, higher: number): boolean {
  const [less, more] = [permissionsOfRoleId(lower), permissionsOfRoleId(higher)]
  return less.length < more.length && less.every((permission) => more.includes(permission))
}

/** Returns the id of a built-in role. @throws Error when no role has this name */
export function roleId(name: string): number {
  const role = ROLES.find((candidate) => candidate.name === name)
  if (!role) throw new Error(`There is no role ${name}`)
  return role.id
}

function permissionsOfRoleId(id: number): Permission[] {
  const role = ROLES.find((candidate) => candidate.id === id)
  return role ? permissionsOf(role.name) : []
}
