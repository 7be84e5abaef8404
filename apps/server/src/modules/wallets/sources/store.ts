import { type Selectable, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { WalletRow } from '../wallet/store.ts'
import type { WalletRowTables } from '../wallet/tables.ts'
import type { SourceTables } from './tables.ts'

/** Addresses are rows of `wallets`; this reads only the columns that authenticate a listed one. */
type ListedColumns = {
  addresses: { wallet_id: number; family_id: number; derivation_index: number; mac: Buffer | null }
}

const tables = (ctx: Context) => ctx.db.$extendTables<SourceTables & WalletRowTables & ListedColumns>()

export type XpubRow = Selectable<SourceTables['wallet_xpubs']>
type VaultRow = Selectable<SourceTables['wallet_vaults']>

type ListRow = Selectable<SourceTables['wallet_lists']>

/**
 * Where the addresses of a wallet come from in one family: an extended public key, the contract that commands them, or a list
 * that an operator uploaded.
 */
export type AddressSource = DerivedSource | (ListRow & { readonly kind: 'list' })
export type DerivedSource = (XpubRow & { readonly kind: 'xpub' }) | (VaultRow & { readonly kind: 'create2' })

/** Stores an extended public key; false when another wallet holds it. */
export async function insertXpub(ctx: Context, row: Omit<XpubRow, 'next_index'>): Promise<boolean> {
  const inserted = await tables(ctx)
    .insertInto('wallet_xpubs')
    .values({ ...row, next_index: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .returning('wallet_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The newest active wallet that has addresses of the family. */
export async function findNewestWallet(ctx: Context, familyId: number): Promise<WalletRow | undefined> {
  return tables(ctx)
    .selectFrom('wallets')
    .selectAll('wallets')
    .where(
      sql<boolean>`EXISTS (SELECT FROM wallet_xpubs WHERE wallet_id = wallets.id AND family_id = ${familyId}
        UNION ALL SELECT FROM wallet_vaults WHERE wallet_id = wallets.id AND family_id = ${familyId}
        UNION ALL SELECT FROM wallet_lists WHERE wallet_id = wallets.id AND family_id = ${familyId})`,
    )
    .where('wallets.deleted_at', 'is', null)
    .where('wallets.status', '=', 'active')
    .orderBy('wallets.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Extended public keys of these wallets, ordered by wallet and family. */
async function listXpubs(ctx: Context, walletIds: readonly number[]): Promise<XpubRow[]> {
  if (walletIds.length === 0) return []
  return tables(ctx)
    .selectFrom('wallet_xpubs')
    .selectAll()
    .where('wallet_id', 'in', walletIds)
    .orderBy('wallet_id')
    .orderBy('family_id')
    .execute()
}

/** Stores the contract that a wallet's addresses are derived from, once. */
export async function insertVault(ctx: Context, row: Omit<VaultRow, 'next_index'>): Promise<void> {
  await tables(ctx)
    .insertInto('wallet_vaults')
    .values({ ...row, next_index: 1 })
    .execute()
}

/** Stores that the addresses of a wallet come from a list, or that the list has grown up to an index. */
export async function upsertList(ctx: Context, row: ListRow): Promise<void> {
  await tables(ctx)
    .insertInto('wallet_lists')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['wallet_id', 'family_id']).doUpdateSet((e) => ({
        next_index: e.fn<number>('greatest', ['wallet_lists.next_index', 'excluded.next_index']),
      })),
    )
    .execute()
}

/** The MAC that an address was uploaded with. */
export async function findListedMac(
  ctx: Context,
  row: { readonly wallet_id: number; readonly family_id: number; readonly derivation_index: number },
): Promise<Buffer | null> {
  const found = await tables(ctx)
    .selectFrom('addresses')
    .select('mac')
    .where('wallet_id', '=', row.wallet_id)
    .where('family_id', '=', row.family_id)
    .where('derivation_index', '=', row.derivation_index)
    .executeTakeFirst()
  return found?.mac ?? null
}

/** Finds the wallet whose addresses a contract commands, including a deleted one. */
export async function findVaultSource(
  ctx: Context,
  familyId: number,
  vault: string,
): Promise<{ readonly walletId: number; readonly isDeleted: boolean } | undefined> {
  const row = await tables(ctx)
    .selectFrom('wallet_vaults as own')
    .innerJoin('wallets as wallet', 'wallet.id', 'own.wallet_id')
    .select(['wallet.id', 'wallet.deleted_at'])
    .where('own.family_id', '=', familyId)
    .where('own.vault', '=', vault)
    .executeTakeFirst()
  return row && { walletId: row.id, isDeleted: row.deleted_at !== null }
}

/** Lists the sources of these wallets' addresses, ordered by wallet and family. */
export async function listSources(ctx: Context, walletIds: readonly number[]): Promise<AddressSource[]> {
  if (walletIds.length === 0) return []
  const xpubs = await listXpubs(ctx, walletIds)
  const vaults = await tables(ctx)
    .selectFrom('wallet_vaults')
    .selectAll()
    .where('wallet_id', 'in', walletIds)
    .orderBy('wallet_id')
    .orderBy('family_id')
    .execute()
  const lists = await tables(ctx).selectFrom('wallet_lists').selectAll().where('wallet_id', 'in', walletIds).execute()
  return [
    ...lists.map((row) => ({ kind: 'list' as const, ...row })),
    ...xpubs.map((row) => ({ kind: 'xpub' as const, ...row })),
    ...vaults.map((row) => ({ kind: 'create2' as const, ...row })),
  ].toSorted((a, b) => a.wallet_id - b.wallet_id || a.family_id - b.family_id)
}

/** Every extended public key, ordered by wallet and family. */
export async function listAllXpubs(ctx: Context): Promise<XpubRow[]> {
  return tables(ctx).selectFrom('wallet_xpubs').selectAll().orderBy('wallet_id').orderBy('family_id').execute()
}

/** Stores the MAC of a key that has none. */
export async function setXpubMac(
  ctx: Context,
  { wallet_id, family_id }: Pick<XpubRow, 'wallet_id' | 'family_id'>,
  mac: Buffer,
): Promise<void> {
  await tables(ctx)
    .updateTable('wallet_xpubs')
    .set({ mac })
    .where('wallet_id', '=', wallet_id)
    .where('family_id', '=', family_id)
    .where('mac', 'is', null)
    .execute()
}

/** Key of the lock under which keys are authenticated, once. */
const AUTHENTICATION_LOCK = 0x4b44

/** Lets one process at a time authenticate the keys that an earlier version left. */
export async function lockAuthentication(ctx: Context): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${AUTHENTICATION_LOCK}::int, 0)`.execute(ctx.db)
}

/** When the keys of an earlier version were authenticated; null when they were not. */
export async function findAuthentication(ctx: Context): Promise<Date | undefined> {
  const row = await tables(ctx).selectFrom('address_authentication').select('completed_at').executeTakeFirst()
  return row?.completed_at
}

/** Records that every key is authenticated from now on. */
export async function insertAuthentication(ctx: Context): Promise<void> {
  await tables(ctx).insertInto('address_authentication').values({ id: 1, completed_at: ctx.now() }).execute()
}

/** Reserves the next `count` indexes of a key or contract and returns the first. */
export async function takeIndexes(
  ctx: Context,
  { kind, wallet_id: walletId, family_id: familyId }: Pick<DerivedSource, 'kind' | 'wallet_id' | 'family_id'>,
  count: number,
): Promise<number> {
  const taken =
    kind === 'xpub'
      ? sql<{ next: number }>`UPDATE wallet_xpubs SET next_index = next_index + ${count}
          WHERE wallet_id = ${walletId} AND family_id = ${familyId} RETURNING next_index AS next`
      : sql<{ next: number }>`UPDATE wallet_vaults SET next_index = next_index + ${count}
          WHERE wallet_id = ${walletId} AND family_id = ${familyId} RETURNING next_index AS next`
  const [row] = (await taken.execute(ctx.db)).rows
  if (!row) throw new Error(`Wallet ${walletId} has no addresses of the family ${familyId}`)
  return row.next - count
}

/** Skips `skip` indexes of every key and contract. */
export async function skipIndexes(ctx: Context, skip: number): Promise<void> {
  await tables(ctx)
    .updateTable('wallet_xpubs')
    .set((e) => ({ next_index: e('next_index', '+', skip) }))
    .execute()
  await tables(ctx)
    .updateTable('wallet_vaults')
    .set((e) => ({ next_index: e('next_index', '+', skip) }))
    .execute()
}
