import type { MemberPage, MemberSearch } from '@kassa/contract/operators/member-schemas.ts'
import type { rolesRoutes } from '@kassa/contract/operators/role-routes.ts'
import type { membersRoutes } from '@kassa/contract/operators/routes.ts'

import type { Context, ProjectScope } from '../../context.ts'
import type { Handlers } from '../../http/handlers.ts'
import { roleNames } from './accounts/service.ts'
import { assignedRolesView, MEMBER_COLUMNS, operatorView, roleView } from './accounts/view.ts'
import { assignRole, replaceRoles } from './members/assign-roles.ts'
import { activateMember } from './members/service.ts'
import { changeRole, createRole, deleteRole, listAssignableRoles, listPermissions } from './members/custom-roles.ts'
import { readMember, searchMembers } from './members/search-members.ts'
import { listAllRoles } from './roles/service.ts'

export const membersHandlers: Handlers<typeof membersRoutes> = {
  searchMembers: (ctx, { scope, query, body }) => pageOf(ctx, scope, { ...query, ...body }),

  listMembers: (ctx, { scope, query }) => pageOf(ctx, scope, query),

  getMember: async (ctx, { scope, params }) =>
    operatorView(await readMember(ctx, scope, params.id), await roleNames(ctx)),

  listMemberRoles: (ctx, { scope, params }) => rolesOfMember(ctx, scope, params.id),

  assignRole: async (ctx, { scope, params, body }) => {
    await assignRole(ctx, scope, params.id, body)
    return rolesOfMember(ctx, scope, params.id)
  },

  replaceRoles: async (ctx, { scope, params, body }) => {
    await replaceRoles(ctx, scope, params.id, body)
    return rolesOfMember(ctx, scope, params.id)
  },

  activateMember: async (ctx, { scope, params }) => {
    const { id } = await activateMember(ctx, params.id)
    return { member: operatorView(await readMember(ctx, scope, id), await roleNames(ctx)) }
  },
}

async function pageOf(ctx: Context, scope: ProjectScope, input: MemberSearch): Promise<MemberPage> {
  const { members, roles, total, nextCursor, prevCursor } = await searchMembers(ctx, scope, input)
  const names = new Map(roles.map(({ id, name }) => [id, name]))
  const data = members.map((one) => operatorView(one, names))
  return { members: { data, totalCount: total, attributes: MEMBER_COLUMNS, nextCursor, prevCursor } }
}

async function rolesOfMember(ctx: Context, scope: ProjectScope, id: number) {
  return assignedRolesView(await readMember(ctx, scope, id), await listAllRoles(ctx))
}

export const rolesHandlers: Handlers<typeof rolesRoutes> = {
  listRoles: async (ctx) => ({ roles: (await listAssignableRoles(ctx)).map(roleView) }),

  createRole: async (ctx, { body }) => roleView(await createRole(ctx, body)),

  changeRole: async (ctx, { params, body }) => roleView(await changeRole(ctx, params.id, body)),

  deleteRole: async (ctx, { params }) => {
    await deleteRole(ctx, params.id)
    return { message: 'Role deleted.' }
  },

  listPermissions,
}
