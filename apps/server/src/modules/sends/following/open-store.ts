/** The sends that the chain has not decided, and how far the chain is read: what the sender's loop works on. */
import { UNDECIDED_STATES } from '@kassa/contract/sends/machine.ts'
import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { Attempt, Send, SendItem } from '../record/send.ts'
import { fromRow, itemFromRow, listAttempts } from '../record/store.ts'
import type { SendReads, SendTables } from '../record/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<SendTables & SendReads>()

/** A send with its attempts, newest first. */
export type OpenSend = { readonly send: Send; readonly item: SendItem; readonly attempts: readonly Attempt[] }

/** The most sends that one pass works on, lowest sequences first; the rest must wait for these anyway. */
const MOST_AT_ONCE = 500

/** Lists the blockchains with sends that the chain has not decided, or wallets that have sent there. */
export async function listSendingBlockchains(ctx: Context): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT blockchain_id AS id FROM send_wallets ORDER BY 1`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Lists the sends of a blockchain that the chain has not decided, lowest sequence first. */
export async function listOpenSends(ctx: Context, blockchainId: number): Promise<OpenSend[]> {
  const rows = await tables(ctx)
    .selectFrom('sends')
    .innerJoin('send_items', 'send_items.send_id', 'sends.id')
    .selectAll('sends')
    .select(['send_items.withdrawal_id', 'send_items.sweep_id', 'send_items.permission_id'])
    .where('sends.blockchain_id', '=', blockchainId)
    .where('sends.state', 'in', UNDECIDED_STATES)
    .orderBy('sends.sequence')
    .orderBy('sends.id')
    .limit(MOST_AT_ONCE)
    .execute()
  const attempts = Map.groupBy(
    await listAttempts(
      ctx,
      rows.map(({ id }) => id),
    ),
    ({ sendId }) => sendId,
  )
  return rows.map((row) => ({ send: fromRow(row), item: itemFromRow(row), attempts: attempts.get(row.id) ?? [] }))
}

/** Counts the sends of a blockchain that a node has taken and the chain has not decided. */
export async function countSentRows(ctx: Context, blockchainId: number): Promise<number> {
  const row = await tables(ctx)
    .selectFrom('sends')
    .select((eb) => eb.fn.countAll<bigint>().as('open'))
    .where('blockchain_id', '=', blockchainId)
    .where('state', '=', 'sent')
    .executeTakeFirstOrThrow()
  return Number(row.open)
}

/** The wallets that have sent on a blockchain and may still sign there. */
export async function listUnlockedWallets(
  ctx: Context,
  blockchainId: number,
  familyId: number,
): Promise<{ walletId: number; address: string }[]> {
  return tables(ctx)
    .selectFrom('send_wallets')
    .innerJoin('hot_keys', 'hot_keys.wallet_id', 'send_wallets.wallet_id')
    .select(['send_wallets.wallet_id as walletId', 'hot_keys.address'])
    .where('send_wallets.blockchain_id', '=', blockchainId)
    .where('send_wallets.lock_code', 'is', null)
    .where('hot_keys.family_id', '=', familyId)
    .execute()
}

/**
 * Whether a block is on our branch: `unread` when it is above what we have read, `gone` when it was read and is no longer
 * stored. Beyond the newest few hundred, only blocks with money of somebody stay stored, so that a missing one proves nothing.
 */
export async function findBranchState(
  ctx: Context,
  blockchainId: number,
  block: { readonly height: number; readonly hash: string },
): Promise<'ours' | 'other' | 'unread' | 'gone'> {
  const { rows } = await sql<{ hash: string | null; height: bigint | null }>`
    SELECT cursor.height,
      (SELECT hash FROM chain_blocks WHERE blockchain_id = ${blockchainId} AND height = ${block.height}) AS hash
    FROM (SELECT) AS one LEFT JOIN chain_cursors AS cursor ON cursor.blockchain_id = ${blockchainId}`.execute(ctx.db)
  const { hash = null, height = null } = rows[0] ?? {}
  if (hash !== null) return hash === block.hash ? 'ours' : 'other'
  return height === null || block.height > Number(height) ? 'unread' : 'gone'
}
