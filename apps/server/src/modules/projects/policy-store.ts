import type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'

import type { Context } from '../../context.ts'
import type { ProjectTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<ProjectTables>()

/** What a project's policy says other than the default, and when the project last changed; undefined without such a project. */
export async function findPolicy(
  ctx: Context,
  projectId: number,
  { isLocked = false } = {},
): Promise<{ readonly policy: Partial<PaymentPolicy>; readonly updatedAt: Date } | undefined> {
  const query = tables(ctx).selectFrom('projects').select(['payment_policy', 'updated_at']).where('id', '=', projectId)
  const row = await (isLocked ? query.forUpdate() : query).executeTakeFirst()
  return row && { policy: row.payment_policy, updatedAt: row.updated_at }
}

/** Replaces what a project's policy says other than the default; returns when. */
export async function updatePolicy(ctx: Context, projectId: number, policy: Partial<PaymentPolicy>): Promise<Date> {
  const now = ctx.now()
  await tables(ctx)
    .updateTable('projects')
    .set({ payment_policy: JSON.stringify(policy), updated_at: now })
    .where('id', '=', projectId)
    .execute()
  return now
}
