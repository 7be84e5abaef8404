import type { ChangeDisplay } from '@kassa/contract/operators/display.ts'
import type { FactorMethod } from '@kassa/contract/operators/schemas.ts'
import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { OperatorRoleRow } from '../roles/tables.ts'
import { displayColumns } from './display.ts'
import type { NeighbourTables, OperatorRow, OperatorTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<OperatorTables & NeighbourTables>()

/** Finds an operator who was not deleted. */
export async function findOperatorById(ctx: Context, id: number): Promise<OperatorRow | undefined> {
  return operatorById(ctx, id).executeTakeFirst()
}

function operatorById(ctx: Context, id: number) {
  return tables(ctx).selectFrom('operators').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
}

/** Finds an operator by e-mail in lower case, who was not deleted. */
export async function findOperatorByAddress(ctx: Context, email: string): Promise<OperatorRow | undefined> {
  return tables(ctx)
    .selectFrom('operators')
    .selectAll()
    .where((row) => row.fn<string>('lower', ['email']), '=', email)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Whether an operator who was not deleted has the role for the whole install. */
export async function isInstallRoleAssigned(ctx: Context, role: number): Promise<boolean> {
  const row = await tables(ctx)
    .selectFrom('operator_roles')
    .innerJoin('operators', 'operators.id', 'operator_roles.operator_id')
    .select('operators.id')
    .where('role_id', '=', role)
    .where('project_id', 'is', null)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The e-mail addresses of those who have a role in a project, or for the whole install, and can sign in, by id. */
export async function listEmailsOfRole(ctx: Context, role: number, projectId: number | null): Promise<string[]> {
  const rows = await tables(ctx)
    .selectFrom('operator_roles')
    .innerJoin('operators', 'operators.id', 'operator_roles.operator_id')
    .select('operators.email')
    .where('role_id', '=', role)
    .where('project_id', 'is not distinct from', projectId)
    .where('state', '=', 'active')
    .orderBy('operators.id')
    .execute()
  return rows.map(({ email }) => email)
}

/** Inserts an active operator; undefined when the customer id is taken: of two simultaneous sign-ups, one wins. */
export async function insertOperator(
  ctx: Context,
  operator: { email: string; customerId: string; passwordHash: string },
): Promise<OperatorRow | undefined> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('operators')
    .values({
      email: operator.email,
      customer_id: operator.customerId,
      password_hash: operator.passwordHash,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.column('customer_id').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Assigns a role in a project or, with null, in the whole install; a former role there is replaced. */
export async function upsertRole(
  ctx: Context,
  assigned: { operatorId: number; projectId: number | null; roleId: number },
): Promise<void> {
  await tables(ctx)
    .insertInto('operator_roles')
    .values({
      operator_id: assigned.operatorId,
      project_id: assigned.projectId,
      role_id: assigned.roleId,
      created_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.columns(['operator_id', 'project_id']).doUpdateSet({ role_id: assigned.roleId }))
    .execute()
}

/** Lists the roles of an operator, the install-wide one first, then by project. */
export async function listRoles(ctx: Context, operatorId: number): Promise<OperatorRoleRow[]> {
  return listRolesOf(ctx, [operatorId])
}

/** Lists the roles of these operators, of each the install-wide one first, then by project. */
export async function listRolesOf(ctx: Context, operatorIds: readonly number[]): Promise<OperatorRoleRow[]> {
  if (operatorIds.length === 0) return []
  return tables(ctx)
    .selectFrom('operator_roles')
    .innerJoin('roles', 'roles.id', 'operator_roles.role_id')
    .selectAll('operator_roles')
    .select('roles.permissions')
    .where('operator_id', '=', (eb) => eb.fn.any(eb.val([...operatorIds])))
    .orderBy('project_id', (order) => order.asc().nullsFirst())
    .execute()
}

/** Lists the roles that members who can sign in hold in a project or in the whole install, by member. */
export async function listRolesIn(ctx: Context, projectId: number): Promise<OperatorRoleRow[]> {
  return tables(ctx)
    .selectFrom('operator_roles')
    .innerJoin('roles', 'roles.id', 'operator_roles.role_id')
    .innerJoin('operators', 'operators.id', 'operator_roles.operator_id')
    .selectAll('operator_roles')
    .select('roles.permissions')
    .where((row) => row.or([row('project_id', 'is', null), row('project_id', '=', projectId)]))
    .where('operators.state', '=', 'active')
    .where('operators.deleted_at', 'is', null)
    .orderBy('operator_id')
    .execute()
}

/** Lists active projects by id: those of the ids, or every one. */
export async function listActiveProjects(
  ctx: Context,
  ids: readonly number[] | 'every',
): Promise<{ id: number; name: string }[]> {
  const all = tables(ctx).selectFrom('projects').select(['id', 'name']).where('status', '=', 'active').orderBy('id')
  if (ids === 'every') return all.execute()
  return ids.length === 0 ? [] : all.where('id', 'in', [...ids]).execute()
}

/**
 * Replaces a password hash and ends the duty to choose a password; false when the hash is no longer `from`. This decides
 * between two changes with the same current password.
 */
export async function updatePasswordHash(
  ctx: Context,
  { operatorId, from, to }: { operatorId: number; from: string; to: string },
): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('operators')
    .set({ password_hash: to, reset_password_required: false, password_given_by: null, updated_at: ctx.now() })
    .where('id', '=', operatorId)
    .where('password_hash', '=', from)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Finds an operator who was not deleted and locks the row until the transaction ends. */
export async function lockOperatorRow(ctx: Context, id: number): Promise<OperatorRow | undefined> {
  return operatorById(ctx, id).forUpdate().executeTakeFirst()
}

/** Sets the password an operator chose; who was invited is active from now on. */
export async function updateChosenPassword(
  ctx: Context,
  { operatorId, passwordHash }: { operatorId: number; passwordHash: string },
): Promise<void> {
  await tables(ctx)
    .updateTable('operators')
    .set({
      password_hash: passwordHash,
      reset_password_required: false,
      password_given_by: null,
      updated_at: ctx.now(),
    })
    .set((row) => ({
      state: row
        .case()
        .when('state', '=', 'invited')
        .then(row.val('active' as const))
        .else(row.ref('state'))
        .end(),
    }))
    .where('id', '=', operatorId)
    .execute()
}

/** Changes the named columns of an operator; undefined when another one who was not deleted has the username. */
export async function updateOwnFacts(
  ctx: Context,
  id: number,
  own: {
    name?: string | undefined
    username?: string | null | undefined
    locale?: string | null | undefined
    display?: ChangeDisplay | undefined
  },
): Promise<OperatorRow | undefined> {
  return tables(ctx)
    .updateTable('operators')
    .set({
      ...(own.name !== undefined && { name: own.name }),
      ...(own.username !== undefined && { username: own.username }),
      ...(own.locale !== undefined && { locale: own.locale }),
      ...displayColumns(own.display ?? {}),
      updated_at: ctx.now(),
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('operators as other')
            .select('other.id')
            .where('other.id', '!=', id)
            .where('other.deleted_at', 'is', null)
            .where((row) => row(row.fn<string>('lower', ['other.username']), '=', (own.username ?? '').toLowerCase())),
        ),
      ),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Makes an operator choose a password before anything else. */
export async function updateResetRequired(ctx: Context, id: number): Promise<OperatorRow | undefined> {
  return tables(ctx)
    .updateTable('operators')
    .set({ reset_password_required: true, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Stores that an operator was active now. */
export async function updateLastSeen(ctx: Context, id: number): Promise<void> {
  await tables(ctx).updateTable('operators').set({ last_seen_at: ctx.now() }).where('id', '=', id).execute()
}

/** Locks the changes of members until the transaction ends (decision 0030). */
export async function lockMembers(ctx: Context): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('members'))`.execute(ctx.db)
}

/** Whether another active operator holds this role for the whole install. */
export async function isHeldByAnother(ctx: Context, role: number, id: number): Promise<boolean> {
  const row = await tables(ctx)
    .selectFrom('operator_roles')
    .innerJoin('operators', 'operators.id', 'operator_roles.operator_id')
    .select('operators.id')
    .where('role_id', '=', role)
    .where('project_id', 'is', null)
    .where('operators.id', '!=', id)
    .where('state', '=', 'active')
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores which second factors an operator has. */
export async function updateSecondFactors(
  ctx: Context,
  operatorId: number,
  methods: readonly FactorMethod[],
): Promise<void> {
  await tables(ctx)
    .updateTable('operators')
    .set({ second_factors: [...methods] })
    .where('id', '=', operatorId)
    .execute()
}
