import type { AssignedRoles, MemberPage, Role as RoleShape } from '@kassa/contract/operators/member-schemas.ts'
import type { Operator } from '@kassa/contract/operators/schemas.ts'
import { FIRST_CUSTOM_ROLE } from '@kassa/contract/permissions.ts'

import type { Role } from '../roles/service.ts'
import type { OperatorRoleRow } from '../roles/tables.ts'
import type { OperatorRow } from './tables.ts'

/** A member with the roles that the reader may see. */
export type MemberWithRoles = { readonly operator: OperatorRow; readonly roles: readonly OperatorRoleRow[] }

/** The columns that the server names for a list of members (api.md O1). */
export const MEMBER_COLUMNS: MemberPage['members']['attributes'] = [
  { displayName: 'Member ID', key: 'id', sortBy: 'id' },
  { displayName: 'Email', key: 'email', sortBy: 'email' },
  { displayName: 'Platform Roles', key: 'platformRoles' },
  { displayName: 'Created At', key: 'createdAt', sortBy: 'created_at' },
  { displayName: 'Updated At', key: 'updatedAt', sortBy: 'updated_at' },
  { displayName: 'Member Type', key: 'memberType' },
]

/** A member as others see them; `names` are those of every role. */
export function operatorView(one: MemberWithRoles, names: ReadonlyMap<number, string>): Operator {
  return {
    ...rolesView(one, names),
    lastSeenAt: one.operator.last_seen_at,
    resetPasswordRequired: one.operator.reset_password_required,
    secondFactor: one.operator.second_factors.length > 0,
  }
}

/** The facts and roles of a member, which their own view has too. */
export function rolesView({ operator, roles }: MemberWithRoles, names: ReadonlyMap<number, string>) {
  return {
    ...memberView(operator),
    platformRoles: roles
      .filter((assigned) => assigned.project_id === null)
      .map((assigned) => names.get(assigned.role_id) ?? '')
      .join(','),
    memberExternalPlatformRoles: roles.map((assigned) => ({
      createdAt: assigned.created_at,
      memberID: operator.id,
      externalPlatformID: assigned.project_id,
      roleID: assigned.role_id,
    })),
  }
}

/** `level` and `group` exist for existing clients; no operator has another. */
export function memberView(operator: OperatorRow) {
  return {
    id: operator.id,
    createdAt: operator.created_at,
    updatedAt: operator.updated_at,
    name: operator.name,
    email: operator.email,
    customer_id: operator.customer_id,
    level: 0,
    group: 'vip-0',
    state: operator.state,
    username: operator.username,
    memberType: 'internal',
  } as const
}

/** A role as the contract shows it. */
export function roleView(role: Role): RoleShape {
  const { id, createdAt, updatedAt, name, displayName, description, scope } = role
  return {
    ...{ id, createdAt, updatedAt, name, displayName, description },
    permissions: [...role.permissions],
    members: null,
    scope,
    places: [...role.places],
    builtIn: id < FIRST_CUSTOM_ROLE,
  }
}

/** The roles of one member, each with its place. */
export function assignedRolesView({ roles }: MemberWithRoles, all: readonly Role[]): AssignedRoles {
  return {
    roles: roles.flatMap((assigned) => {
      const role = all.find(({ id }) => id === assigned.role_id)
      const place = { externalPlatformID: assigned.project_id, createdAt: assigned.created_at }
      return role ? [{ roleID: role.id, role: roleView(role), ...place }] : []
    }),
  }
}
