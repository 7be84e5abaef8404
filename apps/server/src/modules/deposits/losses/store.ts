import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { isAbove } from '../batch-store.ts'

/** A final deposit, and how much refunds of unmatched money took from it; refunds that ended without paying do not count. */
export type RefundedDeposit = {
  readonly id: bigint
  readonly revision: number
  readonly status: 'applied' | 'unapplied'
  readonly projectId: number
  readonly assetId: number
  readonly txId: string
  readonly taken: bigint
  /** The newest of these refunds. */
  readonly payoutId: bigint
}

type Row = {
  readonly id: bigint
  readonly revision: number
  readonly status: 'applied' | 'unapplied'
  readonly project_id: number
  readonly asset_id: number
  readonly tx_id: string
  readonly taken: string
  readonly payout_id: bigint
}

/** Those above a height, newest first. */
export function listRefundedAbove(
  ctx: Context,
  above: { blockchainId: number; toHeight: number },
): Promise<RefundedDeposit[]> {
  return list(ctx, isAbove(above.blockchainId, above.toHeight))
}

/** Those among some deposits. */
export async function listRefunded(ctx: Context, ids: readonly bigint[]): Promise<RefundedDeposit[]> {
  return ids.length === 0 ? [] : list(ctx, sql`deposit.id = ANY(${ids.map(String)}::bigint[])`)
}

async function list(ctx: Context, where: ReturnType<typeof isAbove>): Promise<RefundedDeposit[]> {
  const { rows } = await sql<Row>`
    SELECT deposit.id, deposit.revision, deposit.status, deposit.project_id, deposit.asset_id, deposit.tx_id,
      sum(part.units)::text AS taken, max(payout.id) AS payout_id
    FROM deposits AS deposit
    JOIN refund_parts AS part ON part.deposit_id = deposit.id AND part.claim = 'customer:unapplied'
    JOIN withdrawals AS payout ON payout.id = part.withdrawal_id
    WHERE ${where} AND deposit.refund_committed_units > 0 AND deposit.status IN ('applied', 'unapplied')
      AND payout.status IN ('pending', 'initiated', 'sent', 'processed')
    GROUP BY deposit.id ORDER BY deposit.id DESC`.execute(ctx.db)
  return rows.map((row) => ({
    id: row.id,
    revision: row.revision,
    status: row.status,
    projectId: row.project_id,
    assetId: row.asset_id,
    txId: row.tx_id,
    taken: BigInt(row.taken),
    payoutId: row.payout_id,
  }))
}
