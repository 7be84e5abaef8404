import type { OperatorState } from '@kassa/contract/operators/schemas.ts'
import type { MEMBER_SORTS } from '@kassa/contract/operators/member-schemas.ts'
import { sql } from 'kysely'
import type * as z from 'zod/mini'

import type { Context } from '../../../context.ts'
import { keysetOf } from '../../../db/lists/keyset.ts'
import type { PageRequest } from '../../../paging/paging.ts'
import type { OperatorRow, OperatorTables } from '../accounts/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<OperatorTables>()

export type MemberSort = (typeof MEMBER_SORTS)[number]

export type MemberFilter = {
  /** Members with a role in one of these projects, or in the whole install. */
  readonly projectIds: readonly number[] | 'every'
  /** Start of an e-mail address, a name or a username, or an id. */
  readonly query?: string
  readonly roleIds?: readonly number[]
  readonly states?: readonly z.output<typeof OperatorState>[]
  /** As `projectIds`, asked for by the reader; those that the reader does not see find nobody. */
  readonly inProjects?: readonly number[]
}

/** Inserts a member who is named after our own id, `m_7`; undefined when another one has the e-mail. */
export async function insertMember(
  ctx: Context,
  member: {
    email: string
    name: string
    username: string | null
    passwordHash: string | null
  },
): Promise<OperatorRow | undefined> {
  const hasPassword = member.passwordHash !== null
  const givenBy = hasPassword && ctx.caller.kind === 'operator' ? ctx.caller.operatorId : null
  const { rows } = await sql<OperatorRow>`
    INSERT INTO operators
      (id, email, name, username, customer_id, state, password_hash, reset_password_required, password_given_by,
        created_at, updated_at)
    OVERRIDING SYSTEM VALUE
    SELECT next, ${member.email}, ${member.name}, ${member.username}, 'm_' || next,
      ${hasPassword ? 'active' : 'invited'}, ${member.passwordHash}, ${hasPassword}, ${givenBy}::int,
      ${ctx.now()}, ${ctx.now()}
    FROM (SELECT nextval(pg_get_serial_sequence('operators', 'id'))::int AS next) AS number
    ON CONFLICT (lower(email)) WHERE deleted_at IS NULL DO NOTHING
    RETURNING *`.execute(ctx.db)
  return rows[0]
}

/** Finds another operator who was not deleted with one of these; usernames are compared in lower case. */
export async function findTaken(
  ctx: Context,
  { id, email, username }: { id: number; email?: string | undefined; username?: string | null | undefined },
): Promise<'email' | 'username' | null> {
  const { rows } = await sql<{ taken: 'email' | 'username' }>`
    SELECT CASE WHEN lower(email) = ${email ?? ''} THEN 'email' ELSE 'username' END AS taken FROM operators
    WHERE id <> ${id} AND deleted_at IS NULL
      AND (lower(email) = ${email ?? ''} OR lower(username) = ${(username ?? '').toLowerCase()})
    ORDER BY taken LIMIT 1`.execute(ctx.db)
  return rows[0]?.taken ?? null
}

/** Changes the named columns of a member. */
export async function updateFacts(
  ctx: Context,
  id: number,
  facts: { name?: string | undefined; username?: string | null | undefined; email?: string | undefined },
): Promise<OperatorRow> {
  const named = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
  return tables(ctx)
    .updateTable('operators')
    .set({ ...named, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Takes the access from a member; undefined when there is none to take. */
export async function moveToInactive(
  ctx: Context,
  id: number,
  from: readonly OperatorRow['state'][],
): Promise<OperatorRow | undefined> {
  return tables(ctx)
    .updateTable('operators')
    .set({ state: 'inactive', updated_at: ctx.now() })
    .where('id', '=', id)
    .where('state', 'in', from)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Restores the access; a member who never chose a password is invited again. Undefined when it was not taken. */
export async function moveToActive(ctx: Context, id: number): Promise<OperatorRow | undefined> {
  return tables(ctx)
    .updateTable('operators')
    .set((row) => ({
      state: row
        .case()
        .when('password_hash', 'is', null)
        .then(row.val('invited' as const))
        .else(row.val('active' as const))
        .end(),
      updated_at: ctx.now(),
    }))
    .where('id', '=', id)
    .where('state', '=', 'inactive')
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a member, whose row stays, and removes the roles, so that a role without holders can be deleted. */
export async function moveToDeleted(ctx: Context, id: number): Promise<void> {
  const now = ctx.now()
  await tables(ctx).deleteFrom('operator_roles').where('operator_id', '=', id).execute()
  await tables(ctx)
    .updateTable('operators')
    .set({ state: 'inactive', deleted_at: now, updated_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Takes roles of an operator away: the one in a project, those in projects, the one for the install, or all. */
export async function deleteRoles(
  ctx: Context,
  operatorId: number,
  which: number | 'projects' | 'install' | 'all',
): Promise<number> {
  let query = tables(ctx).deleteFrom('operator_roles').where('operator_id', '=', operatorId)
  if (which === 'projects') query = query.where('project_id', 'is not', null)
  else if (which === 'install') query = query.where('project_id', 'is', null)
  else if (which !== 'all') query = query.where('project_id', '=', which)
  const { numDeletedRows } = await query.executeTakeFirst()
  return Number(numDeletedRows)
}

const KEYS: Readonly<Record<MemberSort, { readonly key: string; readonly type: string }>> = {
  created_at: { key: 'operators.created_at', type: 'timestamptz' },
  updated_at: { key: 'operators.updated_at', type: 'timestamptz' },
  email: { key: 'lower(operators.email)', type: 'text' },
  id: { key: 'operators.id', type: 'int' },
}

/** Lists a page of members, one row more than the page holds, with the key they are sorted by. */
export async function listMembers(
  ctx: Context,
  filter: MemberFilter,
  page: Pick<PageRequest<MemberSort>, 'sort' | 'isAscending' | 'from' | 'limit' | 'offset'>,
): Promise<(OperatorRow & { sortKey: string })[]> {
  const { key, type } = KEYS[page.sort]
  const column = sql.raw(key)
  const { beyond, direction } = keysetOf(page, { column, type, id: sql`operators.id` })
  return select(ctx, filter)
    .selectAll('operators')
    .select(sql<string>`${column}::text`.as('sortKey'))
    .where(beyond)
    .orderBy(column, direction)
    .orderBy('operators.id', direction)
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

/** Counts the members a filter matches. */
export async function countMembers(ctx: Context, filter: MemberFilter): Promise<number> {
  const row = await select(ctx, filter)
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

function select(ctx: Context, { projectIds, query, roleIds, states, inProjects }: MemberFilter) {
  let selection = tables(ctx).selectFrom('operators').where('operators.deleted_at', 'is', null)
  const asked = inProjects?.filter((id) => projectIds === 'every' || projectIds.includes(id))
  for (const ids of [projectIds, asked]) {
    if (ids !== undefined && ids !== 'every') selection = selection.where(worksIn(ids))
  }
  if (roleIds) {
    // A role in a project that the reader does not see must not be found either.
    const isSeen =
      projectIds === 'every'
        ? sql`true`
        : sql`(held.project_id IS NULL OR held.project_id = ANY(${[...projectIds]}::int[]))`
    selection = selection.where(
      sql<boolean>`EXISTS (SELECT FROM operator_roles held WHERE held.operator_id = operators.id
        AND held.role_id = ANY(${[...roleIds]}::int[]) AND ${isSeen})`,
    )
  }
  if (states) selection = selection.where('operators.state', 'in', states)
  if (query) {
    const start = `${query.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    selection = selection.where((eb) =>
      eb.or([
        eb(sql`lower(operators.email)`, 'like', start),
        eb(sql`lower(operators.name)`, 'like', start),
        eb(sql`lower(operators.username)`, 'like', start),
        ...(/^[1-9]\d{0,8}$/.test(query) ? [eb('operators.id', '=', Number(query))] : []),
      ]),
    )
  }
  return selection
}

/** In one of the projects, or everywhere. */
function worksIn(projectIds: readonly number[]) {
  return sql<boolean>`EXISTS (SELECT FROM operator_roles place WHERE place.operator_id = operators.id
    AND (place.project_id IS NULL OR place.project_id = ANY(${[...projectIds]}::int[])))`
}
