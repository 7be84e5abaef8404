import type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import { sql } from 'kysely'

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

/** Lists what projects' policies say other than the default, with the ids of the assets they can be paid with now. */
export async function listIncomingRules(
  ctx: Context,
  projectIds: readonly number[],
): Promise<{ readonly id: number; readonly policy: Partial<PaymentPolicy>; readonly accepted: readonly number[] }[]> {
  const { rows } = await sql<{ id: number; policy: Partial<PaymentPolicy>; accepted: number[] }>`
    SELECT project.id, project.payment_policy AS policy, ARRAY(
      SELECT asset.id FROM project_assets AS accepted
      JOIN assets AS asset ON asset.id = accepted.asset_id
      JOIN blockchains AS chain ON chain.id = asset.blockchain_id
      WHERE accepted.project_id = project.id AND asset.deposit_enabled AND asset.visible AND chain.status = 'active'
    ) AS accepted
    FROM projects AS project WHERE project.id = ANY(${projectIds}::int[])`.execute(ctx.db)
  return rows
}

/** Lists the active projects whose policy says, or says by default, that customers are reminded of open links. */
export async function listRemindingIds(ctx: Context, isDefault: boolean): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM projects WHERE status = 'active'
      AND coalesce((payment_policy->>'reminderMail')::boolean, ${isDefault}) ORDER BY id`.execute(ctx.db)
  return rows.map(({ id }) => id)
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
