import { type Insertable, type Selectable, sql } from 'kysely'

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
  return tables(ctx).selectFrom('wallets').selectAll().where('deleted_at', 'is', null).orderBy('id').execute()
}

/** The wallet of an id. */
export async function findWalletRow(ctx: Context, id: number): Promise<WalletRow | undefined> {
  return tables(ctx)
    .selectFrom('wallets')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Locks a wallet until the transaction ends: no other transaction changes it or signs with it. Lock it after the blockchain and before
 * the rest (money.md 4.3).
 */
export async function lockWallet(ctx: Context, id: number): Promise<void> {
  await sql`SELECT FROM wallets WHERE id = ${id} FOR NO KEY UPDATE`.execute(ctx.db)
}

/** Which wallets serve by default, ordered by family and role. */
export async function listDefaults(ctx: Context): Promise<DefaultRow[]> {
  return tables(ctx).selectFrom('wallet_defaults').selectAll().orderBy('family_id').orderBy('role').execute()
}

/** Makes a wallet the default for roles that have none. */
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

/** Makes a wallet the default in place of another one, in one statement, so that there is always exactly one. */
export async function upsertDefaults(
  ctx: Context,
  walletId: number,
  roles: readonly Omit<DefaultRow, 'wallet_id'>[],
): Promise<void> {
  if (roles.length === 0) return
  await tables(ctx)
    .insertInto('wallet_defaults')
    .values(roles.map((role) => ({ ...role, wallet_id: walletId })))
    .onConflict((conflict) => conflict.columns(['family_id', 'role']).doUpdateSet({ wallet_id: walletId }))
    .execute()
}

/** Ends that a wallet is a default. */
export async function deleteDefaults(ctx: Context, walletId: number): Promise<void> {
  await tables(ctx).deleteFrom('wallet_defaults').where('wallet_id', '=', walletId).execute()
}

/** Moves a wallet to another status when it is in one of these; false when it is not. */
export async function moveWallet(
  ctx: Context,
  id: number,
  { from, to }: { from: readonly WalletRow['status'][]; to: WalletRow['status'] },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('wallets')
    .set({ status: to, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('status', '=', (e) => e.fn.any(e.val([...from])))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Renames a wallet. */
export async function updateWalletName(ctx: Context, id: number, name: string): Promise<void> {
  await tables(ctx).updateTable('wallets').set({ name, updated_at: ctx.now() }).where('id', '=', id).execute()
}

/** Hides a wallet from every list; its addresses stay ours. */
export async function hideWallet(ctx: Context, id: number): Promise<void> {
  await tables(ctx).updateTable('wallets').set({ deleted_at: ctx.now() }).where('id', '=', id).execute()
}

/** Restores a deleted wallet, active and under a new name. */
export async function reviveWallet(ctx: Context, id: number, name: string): Promise<WalletRow> {
  return tables(ctx)
    .updateTable('wallets')
    .set({ name, status: 'active', deleted_at: null, updated_at: ctx.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
