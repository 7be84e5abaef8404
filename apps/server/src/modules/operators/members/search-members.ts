import { fail } from '@kassa/contract/kit/api-error.ts'
import { MEMBER_SORTS, type MemberSearch } from '@kassa/contract/operators/member-schemas.ts'
import type { FoundMember } from '@kassa/contract/search/schemas.ts'

import { keyFor } from '../../../config/keys.ts'
import type { Context, ProjectScope } from '../../../context.ts'
import { readPage, toPage } from '../../../paging/paging.ts'
import { assignmentsOf, findOperator } from '../accounts/service.ts'
import { listRoles, listRolesOf } from '../accounts/store.ts'
import type { MemberWithRoles } from '../accounts/view.ts'
import { mayKnow, visibleRoles } from '../roles/rules.ts'
import { listAllRoles, type Role } from '../roles/service.ts'
import { countMembers, listMembers, type MemberFilter } from './store.ts'

/** A page of the members whom the caller may see, newest first. @throws SORT_FIELD_UNKNOWN, PAGE_TOO_DEEP, CURSOR_INVALID */
export async function searchMembers(ctx: Context, { projectIds }: ProjectScope, input: MemberSearch) {
  const all = await listAllRoles(ctx)
  const filter: MemberFilter = {
    projectIds,
    ...(input.query && { query: input.query }),
    ...(input.role && { roleIds: idsOf(all, input.role) }),
    ...(input.state && input.state.length > 0 && { states: input.state }),
    ...(input.externalPlatformIds && { inProjects: numbersOf(input.externalPlatformIds) }),
  }
  const rules = { list: 'members', filter, sorts: MEMBER_SORTS, signingKey: keyFor(ctx, 'cursor') }
  const page = readPage(input, rules)
  const { rows, nextCursor, prevCursor } = toPage(await listMembers(ctx, filter, page), page, rules)
  const roles = visibleRoles(
    await listRolesOf(
      ctx,
      rows.map(({ id }) => id),
    ),
    projectIds,
  )
  return {
    members: rows.map((operator) => ({ operator, roles: roles.filter((role) => role.operator_id === operator.id) })),
    roles: all,
    total: await countMembers(ctx, filter),
    nextCursor,
    prevCursor,
  }
}

/** The newest members whose e-mail, name or username begins with a text, or of that id. */
export async function findMembers(
  ctx: Context,
  { limit, ...filter }: { projectIds: ProjectScope['projectIds']; query: string; limit: number },
): Promise<FoundMember[]> {
  const page = { sort: 'created_at', isAscending: false, from: null, limit, offset: 0 } as const
  const rows = await listMembers(ctx, filter, page)
  return rows.slice(0, limit).map(({ id, email, name }) => ({ id, email, name }))
}

/** One member whom the caller may see. @throws MEMBER_NOT_FOUND */
export async function readMember(ctx: Context, { projectIds }: ProjectScope, id: number): Promise<MemberWithRoles> {
  const operator = (await findOperator(ctx, id)) ?? fail('MEMBER_NOT_FOUND')
  const { caller } = ctx
  const isOwn = caller.kind === 'operator' && caller.operatorId === id
  const own = caller.kind === 'operator' ? await assignmentsOf(ctx, caller.operatorId) : []
  if (!isOwn && !mayKnow(own, await assignmentsOf(ctx, id))) return fail('MEMBER_NOT_FOUND')
  return { operator, roles: visibleRoles(await listRoles(ctx, id), projectIds) }
}

/** Ids or names of roles; an unknown one matches no member. */
function idsOf(all: readonly Role[], asked: readonly (number | string)[]): number[] {
  return asked.flatMap((one) =>
    all.filter(({ id, name }) => String(id) === String(one) || name === one).map(({ id }) => id),
  )
}

function numbersOf(asked: readonly (number | string)[]): number[] {
  return asked.map(Number).filter((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)
}
