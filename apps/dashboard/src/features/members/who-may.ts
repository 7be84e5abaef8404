import type { Role } from '@kassa/contract/operators/member-schemas.ts'
import type { Me, Operator } from '@kassa/contract/operators/schemas.ts'
import { t } from '@lingui/core/macro'

/** The role that is in no list: it permits everything, and only its holders give it. */
export const ROOT_ROLE = 1

type Assigned = { readonly externalPlatformID: number | null; readonly roleID: number }

type Known = { readonly me: Me | undefined; readonly roles: readonly Role[] }

/**
 * Returns why the operator cannot manage a member, or undefined. The server decides by the same comparison (api.md 3.2); until
 * it is known what the roles permit, nothing is in the way here.
 */
export function refusalOf(member: Operator, { me, roles }: Known): string | undefined {
  if (me === undefined || roles.length === 0) return undefined
  if (member.id === me.id) return t`You cannot do this to yourself.`
  const mine = me.memberExternalPlatformRoles
  if (isRoot(mine)) return undefined
  const theirs = member.memberExternalPlatformRoles
  const isTheirs = theirs.length === 0 ? mine.some((one) => one.externalPlatformID === null) : theirs.every(mayGrant)
  return isTheirs ? undefined : t`You cannot manage this role.`

  function mayGrant(one: Assigned): boolean {
    return mayGrantRole(one, { me, roles })
  }
}

/** Whether the operator may give this role in this place, null for the whole install. */
export function mayGrantRole({ externalPlatformID, roleID }: Assigned, { me, roles }: Known): boolean {
  const mine = me?.memberExternalPlatformRoles ?? []
  if (isRoot(mine)) return true
  const permissionsOf = (id: number) => roles.find((role) => role.id === id)?.permissions
  const given = permissionsOf(roleID)
  return mine.some((own) => {
    const held = permissionsOf(own.roleID) ?? []
    const isThere = own.externalPlatformID === null || own.externalPlatformID === externalPlatformID
    const isLess = given !== undefined && given.length < held.length && given.every((one) => held.includes(one))
    return isThere && held.includes('operator:write') && isLess
  })
}

function isRoot(assigned: readonly Assigned[]): boolean {
  return assigned.some(({ externalPlatformID, roleID }) => externalPlatformID === null && roleID === ROOT_ROLE)
}
