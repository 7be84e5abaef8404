import type { Transfer } from '@kassa/chains/adapter.ts'
import { sql } from 'kysely'

import type { Context } from '../../context.ts'

/**
 * Names the transfer that a live deposit by balance turned out to be; false when it is not one, or when that transfer stands
 * in a row of its own.
 */
export async function updateEvidence(ctx: Context, id: bigint, transfer: Transfer): Promise<boolean> {
  const { txId, leg, kind, evidence, from, block } = transfer
  const { numAffectedRows = 0n } = await sql`
    UPDATE deposits AS deposit SET tx_id = ${txId}, leg = ${leg}, kind = ${kind}, evidence = ${evidence},
      from_address = ${from}, height = ${block.height}, block_hash = ${block.hash}, block_time = ${block.minedAt}
    WHERE deposit.id = ${id} AND deposit.evidence = 'balance' AND deposit.status <> 'reverted'
      AND deposit.units = ${String(transfer.units)}::numeric AND NOT EXISTS (
        SELECT FROM deposits AS other WHERE other.blockchain_id = deposit.blockchain_id
          AND other.block_hash = ${block.hash} AND other.tx_id = ${txId} AND other.leg = ${leg})`.execute(ctx.db)
  return numAffectedRows === 1n
}
