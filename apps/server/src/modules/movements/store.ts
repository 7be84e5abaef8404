import type { Context } from '../../context.ts'
import type { Intent } from './movement.ts'
import type { MovementTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<MovementTables>()

/** Stores what a transaction is for; the first word stands. */
export async function insertIntent(ctx: Context, { blockchainId, txId, kind, sendId, sweepId }: Intent): Promise<void> {
  await tables(ctx)
    .insertInto('movement_intents')
    .values({
      blockchain_id: blockchainId,
      tx_id: txId,
      kind,
      send_id: sendId,
      sweep_id: sweepId ?? null,
      created_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.columns(['blockchain_id', 'tx_id']).doNothing())
    .execute()
}
