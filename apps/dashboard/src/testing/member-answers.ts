/** Members and roles, as they come over the wire. */
import { permissionsOf, ROLES } from '@kassa/contract/permissions.ts'

import { AT } from './answers.ts'

/** Every role that the server lists: root and those of no member are left out. */
export const roles = ROLES.filter(({ id, places }) => id !== 1 && places.length > 0).map((role) => ({
  ...role,
  createdAt: AT,
  updatedAt: AT,
  permissions: permissionsOf(role.name),
  members: null,
  builtIn: true,
}))

/** A custom role. */
export const cashier = {
  id: 100,
  createdAt: AT,
  updatedAt: AT,
  name: 'cashier',
  displayName: 'Cashier',
  description: 'Creates links at the till.',
  permissions: ['payment:read', 'payment:create'],
  members: null,
  scope: 'project',
  places: ['project'],
  builtIn: false,
}

/** A member with one role; a null project is the whole install. */
export function member(
  id: number,
  email: string,
  roleID: number,
  externalPlatformID: number | null,
  more: object = {},
) {
  return {
    id,
    createdAt: AT,
    updatedAt: AT,
    name: '',
    email,
    username: null,
    customer_id: `m_${id}`,
    level: 0,
    group: 'vip-0',
    state: 'active',
    memberType: 'internal',
    platformRoles: '',
    memberExternalPlatformRoles: [{ createdAt: AT, memberID: id, externalPlatformID, roleID }],
    lastSeenAt: null,
    resetPasswordRequired: false,
    secondFactor: false,
    ...more,
  }
}

/** A page of members with the columns that the server names. */
export function memberPage(data: readonly object[]) {
  return {
    members: {
      data,
      totalCount: data.length,
      attributes: [
        { displayName: 'Member ID', key: 'id', sortBy: 'id' },
        { displayName: 'Email', key: 'email', sortBy: 'email' },
        { displayName: 'Platform Roles', key: 'platformRoles' },
        { displayName: 'Created At', key: 'createdAt', sortBy: 'created_at' },
        { displayName: 'Updated At', key: 'updatedAt', sortBy: 'updated_at' },
        { displayName: 'Member Type', key: 'memberType' },
      ],
      nextCursor: null,
      prevCursor: null,
    },
  }
}
