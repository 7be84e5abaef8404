import type { Context } from '../../../context.ts'
import type { PolicyRow, PolicyTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PolicyTables>()

/** The rules of a project; undefined while the defaults hold. */
export async function findPolicyRow(ctx: Context, projectId: number): Promise<PolicyRow | undefined> {
  return tables(ctx).selectFrom('payout_policies').selectAll().where('project_id', '=', projectId).executeTakeFirst()
}

/** Reads the rules of a project and locks them until the transaction ends; makes the row with the defaults when there is none. */
export async function lockPolicyRow(ctx: Context, projectId: number): Promise<PolicyRow> {
  await tables(ctx)
    .insertInto('payout_policies')
    .values({ project_id: projectId, updated_at: ctx.now(), updated_by: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return tables(ctx)
    .selectFrom('payout_policies')
    .selectAll()
    .where('project_id', '=', projectId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export type PolicyValues = Omit<PolicyRow, 'project_id' | 'version' | 'updated_at' | 'quorum_rules'> & {
  readonly quorum_rules: string
}

/** Replaces the rules of a project, which the transaction has locked, and counts the change. */
export async function updatePolicyRow(ctx: Context, projectId: number, values: PolicyValues): Promise<PolicyRow> {
  return tables(ctx)
    .updateTable('payout_policies')
    .set((row) => ({ ...values, version: row('version', '+', 1), updated_at: ctx.now() }))
    .where('project_id', '=', projectId)
    .returningAll()
    .executeTakeFirstOrThrow()
}
