import type { Transfer } from '@kassa/chains/adapter.ts'
import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { WatchTables } from '../blocks/tables.ts'

/** Columns of `wallets` that name the customer of an address. */
export type AddressColumns = { addresses: { id: bigint; customer_id: number | null } }

const tables = (ctx: Context) => ctx.db.$extendTables<WatchTables & AddressColumns>()

/** Stores a transfer to an address of ours that no customer has; safe to repeat. */
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
      evidence: transfer.evidence,
      height: transfer.block.height,
      seen_at: ctx.now(),
      due_at: ctx.now(),
    })
    .onConflict((conflict) =>
      conflict.columns(['blockchain_id', 'tx_id', 'leg']).doUpdateSet({ height: transfer.block.height }),
    )
    .execute()
}

/** Deletes unclaimed transfers above a height: the chain has left those blocks. */
export async function deleteUnclaimedAbove(ctx: Context, blockchainId: number, height: number): Promise<void> {
  await tables(ctx)
    .deleteFrom('unclaimed_transfers')
    .where('blockchain_id', '=', blockchainId)
    .where('height', '>', BigInt(height))
    .execute()
}

/** A balance deposit: its units are what arrived at the address above `from`, up to `to`. */
export type BalanceDeposit = {
  readonly depositId: bigint
  readonly addressId: bigint
  readonly from: number
  readonly to: number
  readonly units: bigint
}

/** Lists the live balance deposits at addresses whose span reaches into a range of heights. */
export async function listBalanceDeposits(
  ctx: Context,
  blockchainId: number,
  range: { readonly addressIds: readonly bigint[]; readonly from: number; readonly to: number },
): Promise<BalanceDeposit[]> {
  const { rows } = await sql<{ id: bigint; address_id: bigint; from_height: bigint; height: bigint; units: string }>`
    SELECT deposit.id, deposit.address_id, source.from_height, deposit.height, deposit.units::text
    FROM balance_deposits AS source JOIN deposits AS deposit ON deposit.id = source.deposit_id
    WHERE deposit.blockchain_id = ${blockchainId} AND deposit.address_id = ANY(${range.addressIds.map(String)}::bigint[])
      AND deposit.evidence = 'balance' AND deposit.status <> 'reverted'
      AND source.from_height < ${range.to} AND deposit.height >= ${range.from}
    ORDER BY deposit.id`.execute(ctx.db)
  return rows.map((row) => ({
    depositId: row.id,
    addressId: row.address_id,
    from: Number(row.from_height),
    to: Number(row.height),
    units: BigInt(row.units),
  }))
}

/** Lists which of these transfers are deposits already, in whatever state, by `tx leg`. */
export async function listKnownTransfers(
  ctx: Context,
  blockchainId: number,
  transfers: readonly Transfer[],
): Promise<Set<string>> {
  const { rows } = await sql<{ tx_id: string; leg: string }>`
    SELECT tx_id, leg FROM deposits
    JOIN unnest(${transfers.map(({ txId }) => txId)}::text[], ${transfers.map(({ leg }) => leg)}::text[]) AS input (tx, part)
      ON deposits.tx_id = input.tx AND deposits.leg = input.part
    WHERE deposits.blockchain_id = ${blockchainId} AND status <> 'reverted'`.execute(ctx.db)
  return new Set(rows.map(({ tx_id: txId, leg }) => `${txId} ${leg}`))
}
