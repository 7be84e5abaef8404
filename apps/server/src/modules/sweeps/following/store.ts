import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { SweepRow, SweepTables } from '../record/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<SweepTables>()

type Of = Pick<SweepRow, 'id' | 'blockchain_id'>

/** Lists sweeps that an operator's wallet sent or may still send; oldest first. */
export async function listOfOwnWallets(ctx: Context): Promise<SweepRow[]> {
  return tables(ctx)
    .selectFrom('sweeps')
    .selectAll()
    .where('sent_by', '=', 'own-wallet')
    .where('status', 'in', ['sweep-initiated', 'broadcast'])
    .where('final_height', 'is', null)
    .orderBy('id')
    .execute()
}

/** Lists sweeps of hot wallets that waited too long to be signed. */
export async function listExpiredPlans(ctx: Context): Promise<bigint[]> {
  const rows = await tables(ctx)
    .selectFrom('sweeps')
    .select('id')
    .where('status', '=', 'planned')
    .where('expires_at', '<', ctx.now())
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Stores what is known of a transaction. */
export async function updateTransaction(
  ctx: Context,
  { id }: Of,
  txId: string,
  changes: {
    readonly from_address?: string
    readonly sequence?: bigint | null
    readonly state?: 'mined' | 'failed'
    readonly block_number?: number
  },
): Promise<void> {
  await tables(ctx)
    .updateTable('sweep_transactions')
    .set(changes)
    .where('sweep_id', '=', id)
    .where('tx_id', '=', txId)
    .execute()
}

/** Deletes a transaction that turned out to be of something else. */
export async function deleteTransaction(ctx: Context, { id }: Of, txId: string): Promise<void> {
  await tables(ctx).deleteFrom('sweep_transactions').where('sweep_id', '=', id).where('tx_id', '=', txId).execute()
}

/**
 * Finds the sweep a transaction is recorded for, or 'send' where a hot wallet of the server signed it; undefined for any other.
 */
export async function findUse(ctx: Context, blockchainId: number, txId: string): Promise<bigint | 'send' | undefined> {
  const { rows } = await sql<{ sweep_id: bigint | null }>`
    SELECT sweep_id FROM sweep_transactions WHERE blockchain_id = ${blockchainId} AND tx_id = ${txId}
    UNION ALL
    SELECT NULL FROM send_attempts AS attempt JOIN sends AS send ON send.id = attempt.send_id
    WHERE attempt.tx_id = ${txId} AND send.blockchain_id = ${blockchainId}
    LIMIT 1`.execute(ctx.db)
  const [row] = rows
  return row && (row.sweep_id ?? 'send')
}

/** Finds the one open sweep that an operator's wallet sends and that all of these addresses belong to. */
export async function findSweepOfAddresses(
  ctx: Context,
  blockchainId: number,
  addressIds: readonly number[],
): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT sweep.id FROM sweeps AS sweep JOIN sweep_items AS item ON item.sweep_id = sweep.id
    WHERE sweep.blockchain_id = ${blockchainId} AND sweep.status IN ('planned', 'sweep-initiated', 'broadcast')
      AND item.address_id = ANY(${addressIds}::bigint[])
    GROUP BY sweep.id HAVING count(*) = ${new Set(addressIds).size} ORDER BY sweep.id DESC LIMIT 1`.execute(ctx.db)
  return rows[0]?.id
}
