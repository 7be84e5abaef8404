import type { Transfer } from '@kassa/chains/adapter.ts'
import { sql } from 'kysely'

import type { Context } from '../../context.ts'

/** Remembers from where on the deposit of this transfer covers what came. */
export async function insertFind(
  ctx: Context,
  { blockchainId, transfer, fromHeight }: { blockchainId: number; transfer: Transfer; fromHeight: number },
): Promise<void> {
  await sql`
    INSERT INTO balance_finds (deposit_id, from_height)
    SELECT id, ${fromHeight} FROM deposits
    WHERE blockchain_id = ${blockchainId} AND tx_id = ${transfer.txId} AND leg = ${transfer.leg} AND status <> 'reverted'
    ON CONFLICT (deposit_id) DO UPDATE SET from_height = excluded.from_height`.execute(ctx.db)
}

/** A deposit by balance: what came to the address above `from`, up to `to`, is in its units. */
export type Find = {
  readonly depositId: bigint
  readonly addressId: bigint
  readonly from: number
  readonly to: number
  readonly units: bigint
}

/** Lists the live deposits by balance at addresses whose span reaches into a range of heights. */
export async function listFinds(
  ctx: Context,
  blockchainId: number,
  range: { readonly addressIds: readonly bigint[]; readonly from: number; readonly to: number },
): Promise<Find[]> {
  const { rows } = await sql<{ id: bigint; address_id: bigint; from_height: bigint; height: bigint; units: string }>`
    SELECT deposit.id, deposit.address_id, find.from_height, deposit.height, deposit.units::text
    FROM balance_finds AS find JOIN deposits AS deposit ON deposit.id = find.deposit_id
    WHERE deposit.blockchain_id = ${blockchainId} AND deposit.address_id = ANY(${range.addressIds.map(String)}::bigint[])
      AND deposit.evidence = 'balance' AND deposit.status <> 'reverted'
      AND find.from_height < ${range.to} AND deposit.height >= ${range.from}
    ORDER BY deposit.id`.execute(ctx.db)
  return rows.map((row) => ({
    depositId: row.id,
    addressId: row.address_id,
    from: Number(row.from_height),
    to: Number(row.height),
    units: BigInt(row.units),
  }))
}

/** The text of an address of ours. */
export async function findAddressText(ctx: Context, addressId: bigint): Promise<string | null> {
  const { rows } = await sql<{ address: string }>`SELECT address FROM addresses WHERE id = ${addressId}`.execute(ctx.db)
  return rows[0]?.address ?? null
}
