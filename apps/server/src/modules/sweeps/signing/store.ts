import type { Context } from '../../../context.ts'
import type { SweepTables } from '../record/tables.ts'

/** Sweeps that a sender may sign now, oldest first. */
export async function listDue(
  ctx: Context,
  limit: number,
  after: bigint,
): Promise<{ readonly id: bigint; readonly blockchain_id: number }[]> {
  return ctx.db
    .$extendTables<SweepTables>()
    .selectFrom('sweeps')
    .select(['id', 'blockchain_id'])
    .where('status', '=', 'planned')
    .where('sent_by', '=', 'hot-wallet')
    .where('due_at', '<=', ctx.now())
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}
