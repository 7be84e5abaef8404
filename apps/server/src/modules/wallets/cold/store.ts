import { type Selectable, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { WalletRowTables } from '../wallet/tables.ts'
import type { ColdTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<ColdTables & WalletRowTables>()

export type ColdRow = Selectable<ColdTables['cold_addresses']>

/** Stores the address of a cold wallet, replacing the wallet's earlier one. */
export async function upsertColdAddress(ctx: Context, row: ColdRow): Promise<void> {
  await tables(ctx)
    .insertInto('cold_addresses')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('wallet_id').doUpdateSet({ project_id: row.project_id, usable_at: row.usable_at }),
    )
    .execute()
}

/** Sets from when money may be sent to a cold wallet. */
export async function updateUsableAt(ctx: Context, walletId: number, usableAt: Date): Promise<ColdRow | undefined> {
  return tables(ctx)
    .updateTable('cold_addresses')
    .set({ usable_at: usableAt })
    .where('wallet_id', '=', walletId)
    .returningAll()
    .executeTakeFirst()
}

/** The addresses of every cold wallet, by wallet. */
export async function listColdAddresses(ctx: Context): Promise<ColdRow[]> {
  return tables(ctx).selectFrom('cold_addresses').selectAll().orderBy('wallet_id').execute()
}

/** The cold wallet of an address on a blockchain, also a deleted one. */
export async function findColdWallet(
  ctx: Context,
  blockchainId: number,
  key: Buffer,
): Promise<{ readonly id: number; readonly isDeleted: boolean } | undefined> {
  const row = await tables(ctx)
    .selectFrom('cold_addresses as cold')
    .innerJoin('wallets as wallet', 'wallet.id', 'cold.wallet_id')
    .select(['wallet.id', 'wallet.deleted_at'])
    .where('cold.blockchain_id', '=', blockchainId)
    .where('cold.key', '=', key)
    .executeTakeFirst()
  return row && { id: row.id, isDeleted: row.deleted_at !== null }
}

/**
 * The cold wallet that receives the money of a blockchain without sweep contracts: the default one, also while it waits, because
 * operators chose it; else the oldest that may receive money now; else the oldest.
 */
export async function findDefaultCold(ctx: Context, blockchainId: number): Promise<ColdRow | undefined> {
  const { rows } = await sql<ColdRow>`
    SELECT cold.* FROM cold_addresses AS cold JOIN wallets AS wallet ON wallet.id = cold.wallet_id
    LEFT JOIN wallet_defaults AS chosen ON chosen.wallet_id = wallet.id AND chosen.role = 'cold'
    WHERE cold.blockchain_id = ${blockchainId} AND wallet.deleted_at IS NULL AND wallet.status = 'active'
    ORDER BY chosen.wallet_id IS NULL, cold.usable_at > ${ctx.now()}, wallet.id LIMIT 1`.execute(ctx.db)
  return rows[0]
}
