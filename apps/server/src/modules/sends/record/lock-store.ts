import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { SendTables } from './tables.ts'

type Wallet = { readonly walletId: number; readonly blockchainId: number }

/** Locks a wallet on a blockchain; one that is locked keeps its reason. */
export async function updateLock(
  ctx: Context,
  lock: Wallet & { readonly code: string; readonly params: object },
): Promise<void> {
  await sql`
    INSERT INTO send_wallets AS wallet (wallet_id, blockchain_id, lock_code, lock_params, locked_at)
    VALUES (${lock.walletId}, ${lock.blockchainId}, ${lock.code}, ${JSON.stringify(lock.params)}::jsonb, ${ctx.now()})
    ON CONFLICT (wallet_id, blockchain_id) DO UPDATE SET lock_code = excluded.lock_code,
      lock_params = excluded.lock_params, locked_at = excluded.locked_at WHERE wallet.lock_code IS NULL`.execute(ctx.db)
}

/** Unlocks a wallet on a blockchain; returns whether it was locked. */
export async function updateUnlocked(
  ctx: Context,
  wallet: Wallet & { readonly firstSequence: bigint },
): Promise<boolean> {
  const row = await ctx.db
    .$extendTables<SendTables>()
    .updateTable('send_wallets')
    .set({ lock_code: null, lock_params: null, locked_at: null, first_sequence: String(wallet.firstSequence) })
    .where('wallet_id', '=', wallet.walletId)
    .where('blockchain_id', '=', wallet.blockchainId)
    .where('lock_code', 'is not', null)
    .returning('wallet_id')
    .executeTakeFirst()
  return row !== undefined
}
