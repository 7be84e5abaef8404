import type { Context } from '../../context.ts'
import type { DepositTables } from './tables.ts'

/** Fills in what a deposit was worth, unless that is known already. */
export async function updateWorth(ctx: Context, id: bigint, usd: string): Promise<void> {
  await ctx.db
    .$extendTables<DepositTables>()
    .updateTable('deposits')
    .set({ usd_at_seen: usd })
    .where('id', '=', id)
    .where('usd_at_seen', 'is', null)
    .execute()
}
