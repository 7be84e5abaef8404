import type { Transfer } from '@kassa/chains/adapter.ts'
import { sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { WatchTables } from './tables.ts'

/** Columns of `wallets` that say who has an address. */
type AddressColumns = { addresses: { id: bigint; customer_id: number | null } }

const tables = (ctx: Context) => ctx.db.$extendTables<WatchTables & AddressColumns>()

/** Remembers money to an address of ours that no customer has; harmless to repeat. */
export async function insertUnclaimed(
  ctx: Context,
  { blockchainId, addressId, transfer }: { blockchainId: number; addressId: bigint; transfer: Transfer },
): Promise<void> {
  await tables(ctx)
    .insertInto('unclaimed_transfers')
    .values({
      blockchain_id: blockchainId,
      tx_id: transfer.txId,
      leg: transfer.leg,
      address_id: addressId,
      asset_id: transfer.assetId,
      units: transfer.units,
      height: transfer.block.height,
      seen_at: ctx.now(),
      due_at: ctx.now(),
    })
    .onConflict((conflict) =>
      conflict.columns(['blockchain_id', 'tx_id', 'leg']).doUpdateSet({ height: transfer.block.height }),
    )
    .execute()
}

/** Lists transactions of a blockchain with money to an address that somebody has by now, oldest first. */
export async function listClaimable(ctx: Context, blockchainId: number, limit: number): Promise<string[]> {
  const rows = await tables(ctx)
    .selectFrom('unclaimed_transfers as transfer')
    .innerJoin('addresses as address', 'address.id', 'transfer.address_id')
    .select('transfer.tx_id')
    .distinct()
    .where('transfer.blockchain_id', '=', blockchainId)
    .where('transfer.due_at', '<=', ctx.now())
    .where('address.customer_id', 'is not', null)
    .limit(limit)
    .execute()
  return rows.map((row) => row.tx_id)
}

/** Puts a transaction off until `dueAt`: it could not be read now. */
export async function updateDueAt(ctx: Context, blockchainId: number, txId: string, dueAt: Date): Promise<void> {
  await tables(ctx)
    .updateTable('unclaimed_transfers')
    .set({ due_at: dueAt })
    .where('blockchain_id', '=', blockchainId)
    .where('tx_id', '=', txId)
    .execute()
}

/**
 * Forgets the money of a transaction that went to addresses somebody has: it is a deposit now, or no money at all. With what
 * was `read` of it now, money that a contract forwarded and that is not among it stays: this node cannot show it any more.
 */
export async function deleteClaimed(
  ctx: Context,
  blockchainId: number,
  txId: string,
  read: readonly Pick<Transfer, 'leg'>[] | null = null,
): Promise<void> {
  const legs = read && read.map(({ leg }) => leg)
  await sql`
    DELETE FROM unclaimed_transfers AS transfer USING addresses AS address
    WHERE transfer.blockchain_id = ${blockchainId} AND transfer.tx_id = ${txId}
      AND address.id = transfer.address_id AND address.customer_id IS NOT NULL
      AND (${legs}::text[] IS NULL OR transfer.leg NOT LIKE 'internal:%' OR transfer.leg = ANY(${legs}::text[]))`.execute(
    ctx.db,
  )
}

/** Forgets money above a height: the chain has left those blocks. */
export async function deleteUnclaimedAbove(ctx: Context, blockchainId: number, height: number): Promise<void> {
  await tables(ctx)
    .deleteFrom('unclaimed_transfers')
    .where('blockchain_id', '=', blockchainId)
    .where('height', '>', BigInt(height))
    .execute()
}
