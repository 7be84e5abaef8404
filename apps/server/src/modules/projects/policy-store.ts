import type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'

import type { Context } from '../../context.ts'
import type { ProjectTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<ProjectTables>()

/** What a project's policy says other than the default; undefined when there is no such project. */
export async function findPolicy(
  ctx: Context,
  projectId: number,
  { isLocked = false } = {},
): Promise<Partial<PaymentPolicy> | undefined> {
  const query = tables(ctx).selectFrom('projects').select('payment_policy').where('id', '=', projectId)
  const row = await (isLocked ? query.forUpdate() : query).executeTakeFirst()
  return row?.payment_policy
}

/** Replaces what a project's policy says other than the default. */
export async function updatePolicy(ctx: Context, projectId: number, policy: Partial<PaymentPolicy>): Promise<void> {
  await tables(ctx)
    .updateTable('projects')
    .set({ payment_policy: JSON.stringify(policy), updated_at: ctx.now() })
    .where('id', '=', projectId)
    .execute()
}
