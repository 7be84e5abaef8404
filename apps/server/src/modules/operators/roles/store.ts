import { FIRST_CUSTOM_ROLE } from '@kassa/contract/permissions.ts'

import type { Context } from '../../../context.ts'
import type { RoleRow, RoleTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<RoleTables>()

type RoleFacts = Required<{
  [Column in 'name' | 'display_name' | 'description' | 'place' | 'permissions']: NonNullable<RoleRow[Column]>
}>

/** Lists every role by id: the built-in ones first. */
export async function listRoleRows(ctx: Context): Promise<RoleRow[]> {
  return tables(ctx).selectFrom('roles').selectAll().orderBy('id').execute()
}

/** Finds a role by id. */
export async function findRole(ctx: Context, id: number): Promise<RoleRow | undefined> {
  return tables(ctx).selectFrom('roles').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds a role by name. */
export async function findRoleByName(ctx: Context, name: string): Promise<RoleRow | undefined> {
  return tables(ctx)
    .selectFrom('roles')
    .selectAll()
    .where((row) => row.fn<string>('lower', ['name']), '=', name.toLowerCase())
    .executeTakeFirst()
}

/** Inserts a custom role. */
export async function insertRole(ctx: Context, facts: RoleFacts): Promise<RoleRow> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('roles')
    .values({ ...facts, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes a custom role. */
export async function updateRole(ctx: Context, id: number, facts: RoleFacts): Promise<RoleRow> {
  return tables(ctx)
    .updateTable('roles')
    .set({ ...facts, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('id', '>=', FIRST_CUSTOM_ROLE)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a custom role. */
export async function deleteRoleRow(ctx: Context, id: number): Promise<void> {
  await tables(ctx).deleteFrom('roles').where('id', '=', id).where('id', '>=', FIRST_CUSTOM_ROLE).execute()
}

/** Lists the operators who hold a role. */
export async function listHolders(ctx: Context, id: number): Promise<number[]> {
  const rows = await tables(ctx)
    .selectFrom('operator_roles')
    .select('operator_id')
    .distinct()
    .where('role_id', '=', id)
    .execute()
  return rows.map((row) => row.operator_id)
}
