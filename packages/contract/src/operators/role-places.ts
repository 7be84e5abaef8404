import type { Permission, RolePlace } from '../permissions.ts'

const INSTALL_ONLY = [
  'role:write',
  'wallet:write',
  'vault:write',
  'contract:write',
  'sweep:write',
  'settings:write',
  'security:write',
  'blockchain:write',
  'system:operate',
] as const satisfies readonly Permission[]

/** Permissions that change what all projects share: a role grants them for the whole install or not at all (api.md 3.1). */
const installOnly: ReadonlySet<string> = new Set(INSTALL_ONLY)

/** Whether a permission counts in a role that is held in this place. */
export function isHeldIn(permission: string, place: RolePlace): boolean {
  return place === 'install' || !installOnly.has(permission)
}
