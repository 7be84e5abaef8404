import type { Transfer } from '@kassa/chains/adapter.ts'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { WatchTables } from '../blocks/tables.ts'

/** Columns of `wallets` that name the customer of an address. */
type AddressColumns = { addresses: { id: bigint; customer_id: number | null } }

const tables = (ctx: Context) => ctx.db.$extendTables<WatchTables & AddressColumns>()

/** The longest time for which a transaction is postponed. */
const LONGEST_WAIT_MS = 5 * 60_000

/** Lists transactions of a blockchain with unclaimed transfers to an address that is assigned by now, those that wait longest first. */
export async function listClaimable(ctx: Context, blockchainId: number, limit: number): Promise<string[]> {
  const now = ctx.now()
  const rows = await tables(ctx)
    .selectFrom('unclaimed_transfers as transfer')
    .innerJoin('addresses as address', 'address.id', 'transfer.address_id')
    .select('transfer.tx_id')
    .where('transfer.blockchain_id', '=', blockchainId)
    // A time further ahead was set by a clock that has been corrected since.
    .where((eb) =>
      eb.or([eb('transfer.due_at', '<=', now), eb('transfer.due_at', '>', new Date(now.getTime() + LONGEST_WAIT_MS))]),
    )
    .where('address.customer_id', 'is not', null)
    .groupBy('transfer.tx_id')
    .orderBy((eb) => eb.fn.min('transfer.due_at'))
    .limit(limit)
    .execute()
  return rows.map((row) => row.tx_id)
}

/** Postpones a transaction: it may be that it cannot be read now. */
export async function updateDueAt(ctx: Context, blockchainId: number, txId: string): Promise<void> {
  await tables(ctx)
    .updateTable('unclaimed_transfers')
    .set({ due_at: new Date(ctx.now().getTime() + LONGEST_WAIT_MS) })
    .where('blockchain_id', '=', blockchainId)
    .where('tx_id', '=', txId)
    .execute()
}

/** Lists the addresses that unclaimed transfers of a transaction reached and that are assigned by now, which they stay. */
export async function listClaimed(ctx: Context, blockchainId: number, txId: string): Promise<bigint[]> {
  const rows = await tables(ctx)
    .selectFrom('unclaimed_transfers as transfer')
    .innerJoin('addresses as address', 'address.id', 'transfer.address_id')
    .select('address.id')
    .distinct()
    .where('transfer.blockchain_id', '=', blockchainId)
    .where('transfer.tx_id', '=', txId)
    .where('address.customer_id', 'is not', null)
    .execute()
  return rows.map((row) => row.id)
}

/** Unclaimed transfers of a transaction to addresses that were assigned before it was read again. */
type Claimed = { readonly blockchainId: number; readonly txId: string; readonly addressIds: readonly bigint[] }

/**
 * Deletes claimed transfers: each is a deposit now, or was reverted. With `read`, one that is not among the read ones stays,
 * because this node does not show it.
 */
export async function deleteClaimed(
  ctx: Context,
  { blockchainId, txId, addressIds }: Claimed,
  read: readonly Pick<Transfer, 'leg'>[] | null = null,
): Promise<void> {
  const legs = read && read.map(({ leg }) => leg)
  await sql`
    DELETE FROM unclaimed_transfers
    WHERE blockchain_id = ${blockchainId} AND tx_id = ${txId} AND address_id = ANY(${addressIds.map(String)}::bigint[])
      AND (${legs}::text[] IS NULL OR leg = ANY(${legs}::text[]))`.execute(ctx.db)
}
