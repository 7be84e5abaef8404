import type { HotPurpose } from '@kassa/contract/wallets/hot-schemas.ts'
import { type Selectable, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { WalletRowTables } from '../wallet/tables.ts'
import type { HotTables } from './tables.ts'

type SecretReads = { secrets: { id: number; vault_id: number } }

const tables = (ctx: Context) => ctx.db.$extendTables<HotTables & WalletRowTables & SecretReads>()

export type HotKeyRow = Selectable<HotTables['hot_keys']>
export type FunctionRow = Selectable<HotTables['wallet_functions']>

/** Stores the key of a hot wallet; false when another wallet has it. */
export async function insertHotKey(ctx: Context, row: HotKeyRow): Promise<boolean> {
  const inserted = await tables(ctx)
    .insertInto('hot_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['family_id', 'key']).doNothing())
    .returning('wallet_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Stores the purposes of a hot wallet. */
export async function insertFunctions(ctx: Context, walletId: number, purposes: readonly HotPurpose[]): Promise<void> {
  await tables(ctx)
    .insertInto('wallet_functions')
    .values(purposes.map((purpose) => ({ wallet_id: walletId, purpose })))
    .execute()
}

/** The keys of every hot wallet, by wallet; never the private half. */
export async function listHotKeys(ctx: Context): Promise<HotKeyRow[]> {
  return tables(ctx).selectFrom('hot_keys').selectAll().orderBy('wallet_id').execute()
}

/** Sets what a hot wallet may hold before its excess is shown. */
export async function updateFloatLimit(ctx: Context, walletId: number, limit: string): Promise<void> {
  await tables(ctx).updateTable('hot_keys').set({ float_limit_usd: limit }).where('wallet_id', '=', walletId).execute()
}

/** Lists the purposes of every hot wallet, by id. */
export async function listFunctions(ctx: Context): Promise<FunctionRow[]> {
  return tables(ctx).selectFrom('wallet_functions').selectAll().orderBy('id').execute()
}

/** An older send is signed again only while it waits to be mined, and then it is among the newest. */
const NEWEST_SENDS = 20

/** When the key of each hot wallet signed last; absent for one that never did. */
export async function listSignedAt(ctx: Context): Promise<Map<number, Date>> {
  const { rows } = await sql<{ wallet: number; at: Date }>`
    SELECT hot.wallet_id AS wallet, max(attempt.created_at) AS at
    FROM hot_keys AS hot
    CROSS JOIN LATERAL (
      SELECT id FROM sends WHERE sends.wallet_id = hot.wallet_id ORDER BY id DESC LIMIT ${NEWEST_SENDS}) AS send
    JOIN send_attempts AS attempt ON attempt.send_id = send.id
    GROUP BY hot.wallet_id`.execute(ctx.db)
  return new Map(rows.map(({ wallet, at }) => [wallet, at]))
}

/** A hot wallet that can sign: its address and its sealed key. */
export type HotWallet = {
  readonly walletId: number
  readonly address: string
  readonly secretId: number
  readonly vaultId: number
}

/** Finds the active default hot wallet for a purpose in a family. */
export async function findDefaultHotWallet(
  ctx: Context,
  familyId: number,
  purpose: HotPurpose,
): Promise<HotWallet | undefined> {
  return tables(ctx)
    .selectFrom('wallet_defaults as chosen')
    .innerJoin('wallets as wallet', 'wallet.id', 'chosen.wallet_id')
    .innerJoin('hot_keys as hot', 'hot.wallet_id', 'wallet.id')
    .innerJoin('secrets as secret', 'secret.id', 'hot.secret_id')
    .select(['wallet.id as walletId', 'hot.address', 'hot.secret_id as secretId', 'secret.vault_id as vaultId'])
    .where('chosen.family_id', '=', familyId)
    .where('chosen.role', '=', purpose)
    .where('wallet.status', '=', 'active')
    .executeTakeFirst()
}

/** Lists the purposes that active wallets of the family serve already. */
export async function listServedPurposes(ctx: Context, familyId: number): Promise<HotPurpose[]> {
  const rows = await tables(ctx)
    .selectFrom('wallet_functions as one')
    .innerJoin('hot_keys as hot', 'hot.wallet_id', 'one.wallet_id')
    .innerJoin('wallets as wallet', 'wallet.id', 'one.wallet_id')
    .select('purpose')
    .distinct()
    .where('family_id', '=', familyId)
    .where('status', '=', 'active')
    .execute()
  return rows.map(({ purpose }) => purpose)
}
