import * as z from 'zod/mini'

import { id, Message } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { PermissionRow, Role, RoleInput } from './member-schemas.ts'

/** Roles, built-in and custom, and the permissions they are made of (api.md 3). */
export const rolesRoutes = {
  listRoles: route({
    id: 'O17',
    methods: ['GET'],
    paths: ['/roles'],
    summary: 'List the roles that members may have, but root',
    access: { permission: 'role:read' },
    rate: 'dashboard',
    response: z.object({ roles: z.array(Role) }),
    errors: [],
  }),
  createRole: route({
    id: 'O18',
    methods: ['POST'],
    paths: ['/roles'],
    summary: 'Make a custom role',
    access: { permission: 'role:write', stepUp: 'S' },
    rate: 'dashboard',
    body: RoleInput,
    response: Role,
    status: 201,
    errors: ['ROLE_EXISTS', 'PERMISSION_UNKNOWN', 'ROLE_ABOVE_YOURS'],
  }),
  changeRole: route({
    id: 'O19',
    methods: ['PUT', 'PATCH'],
    paths: ['/roles/{id}'],
    summary: 'Change a custom role, for everybody who has it, at once',
    access: { permission: 'role:write', stepUp: 'S' },
    rate: 'dashboard',
    params: z.object({ id }),
    body: RoleInput,
    response: Role,
    errors: ['ROLE_NOT_FOUND', 'ROLE_BUILT_IN', 'ROLE_EXISTS', 'ROLE_IN_USE', 'PERMISSION_UNKNOWN', 'ROLE_ABOVE_YOURS'],
  }),
  deleteRole: route({
    id: 'O20',
    methods: ['DELETE'],
    paths: ['/roles/{id}'],
    summary: 'Delete a custom role that nobody has',
    access: { permission: 'role:write', stepUp: 'S' },
    rate: 'dashboard',
    params: z.object({ id }),
    response: Message,
    errors: ['ROLE_NOT_FOUND', 'ROLE_BUILT_IN', 'ROLE_IN_USE', 'ROLE_ABOVE_YOURS'],
  }),
  listPermissions: route({
    id: 'O21',
    methods: ['GET'],
    paths: ['/permissions'],
    summary: 'List the permissions with the roles that have them',
    access: { permission: 'role:read' },
    rate: 'dashboard',
    response: z.array(PermissionRow),
    errors: [],
  }),
} as const
