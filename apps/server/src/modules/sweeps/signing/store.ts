import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { SweepRow, SweepTables } from '../record/tables.ts'
import { AGAIN_MS } from './rules.ts'

/**
 * Lists sweeps that a sender may sign now, oldest first. No sweep waits longer than `AGAIN_MS`: a later time was written by a
 * process whose clock was wrong, and would hold the sweep's addresses until then.
 */
export async function listDue(
  ctx: Context,
  limit: number,
  after: bigint,
): Promise<{ readonly id: bigint; readonly blockchain_id: number }[]> {
  const now = ctx.now()
  const latest = new Date(now.getTime() + AGAIN_MS[ctx.config.network])
  return ctx.db
    .$extendTables<SweepTables>()
    .selectFrom('sweeps')
    .select(['id', 'blockchain_id'])
    .where('status', '=', 'planned')
    .where('sent_by', '=', 'hot-wallet')
    .where((eb) => eb.or([eb('due_at', '<=', now), eb('due_at', '>', latest)]))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Whether no address of a sweep was ever swept on its blockchain: the sweep then creates their contracts. */
export async function isFirstOf(ctx: Context, { id, blockchain_id }: SweepRow): Promise<boolean> {
  const { rows } = await sql<{ first: boolean }>`
    SELECT NOT EXISTS (
      SELECT FROM sweep_items AS item JOIN sweep_items AS before ON before.address_id = item.address_id AND before.state = 'swept'
      JOIN sweeps AS sweep ON sweep.id = before.sweep_id
      WHERE item.sweep_id = ${id} AND sweep.blockchain_id = ${blockchain_id}) AS first`.execute(ctx.db)
  return rows[0]?.first ?? false
}
