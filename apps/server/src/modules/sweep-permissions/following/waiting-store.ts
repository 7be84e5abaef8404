import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

/** Which wallet sent a transaction, and where. */
export async function findSendFacts(
  ctx: Context,
  sendId: bigint,
): Promise<{ readonly walletId: number; readonly blockchainId: number } | undefined> {
  const { rows } = await sql<{ wallet_id: number; blockchain_id: number }>`
    SELECT wallet_id, blockchain_id FROM sends WHERE id = ${sendId}`.execute(ctx.db)
  const [row] = rows
  return row && { walletId: row.wallet_id, blockchainId: row.blockchain_id }
}
