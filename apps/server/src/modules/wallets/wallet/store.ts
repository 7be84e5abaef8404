import type { Insertable, Selectable } from 'kysely'

import type { Context } from '../../../context.ts'
import type { DefaultRole, WalletRowTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<WalletRowTables>()

export type WalletRow = Selectable<WalletRowTables['wallets']>
export type DefaultRow = Selectable<WalletRowTables['wallet_defaults']>

/** Adds an active wallet and returns its row. */
export async function insertWallet(
  ctx: Context,
  values: Pick<
    Insertable<WalletRowTables['wallets']>,
    'name' | 'wallet_type' | 'wallet_sub_type' | 'secret_type' | 'created_by'
  >,
): Promise<WalletRow> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('wallets')
    .values({ ...values, status: 'active', created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Wallets ordered by id, ascending. */
export async function listWalletRows(ctx: Context): Promise<WalletRow[]> {
  return tables(ctx).selectFrom('wallets').selectAll().orderBy('id').execute()
}

/** The wallet of an id. */
export async function findWalletRow(ctx: Context, id: number): Promise<WalletRow | undefined> {
  return tables(ctx).selectFrom('wallets').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Which wallets serve by default, ordered by family and role. */
export async function listDefaults(ctx: Context): Promise<DefaultRow[]> {
  return tables(ctx).selectFrom('wallet_defaults').selectAll().orderBy('family_id').orderBy('role').execute()
}

/** Lets a wallet serve by default where none does. */
export async function insertDefaults(
  ctx: Context,
  { familyId, roles, walletId }: { familyId: number; roles: readonly DefaultRole[]; walletId: number },
): Promise<void> {
  await tables(ctx)
    .insertInto('wallet_defaults')
    .values(roles.map((role) => ({ family_id: familyId, role, wallet_id: walletId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
