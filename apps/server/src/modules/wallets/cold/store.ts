import type { Selectable } from 'kysely'

import type { Context } from '../../../context.ts'
import type { WalletRowTables } from '../wallet/tables.ts'
import type { ColdTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<ColdTables & WalletRowTables>()

export type ColdRow = Selectable<ColdTables['cold_addresses']>

/** Stores the address of a cold wallet, in place of what the same wallet had before. */
export async function upsertColdAddress(ctx: Context, row: ColdRow): Promise<void> {
  await tables(ctx)
    .insertInto('cold_addresses')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('wallet_id').doUpdateSet({ project_id: row.project_id, usable_at: row.usable_at }),
    )
    .execute()
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
