import { sql } from 'kysely'

import type { Context } from '../../../context.ts'

export type ClaimRow = {
  readonly id: bigint
  readonly blockchain_id: number
  readonly address: string
  readonly status: 'open' | 'accepted' | 'declined'
  readonly claimed_at: Date
  readonly declined_note: string | null
}

/** Finds the claim of a payment that was not replaced. */
export async function findCurrentClaim(ctx: Context, paymentId: bigint): Promise<ClaimRow | undefined> {
  const { rows } = await sql<ClaimRow>`
    SELECT id, blockchain_id, address, status, claimed_at, declined_note FROM refund_claims
    WHERE payment_id = ${paymentId} AND status <> 'replaced'`.execute(ctx.db)
  return rows[0]
}

/** Replaces the open claim of a payment; an address that another one stands for already is refused by the index. */
export async function replaceClaim(
  ctx: Context,
  { paymentId, blockchainId, address }: { paymentId: bigint; blockchainId: number; address: string },
): Promise<ClaimRow> {
  await sql`UPDATE refund_claims SET status = 'replaced' WHERE payment_id = ${paymentId} AND status = 'open'`.execute(
    ctx.db,
  )
  const { rows } = await sql<ClaimRow>`
    INSERT INTO refund_claims (payment_id, blockchain_id, address, claimed_at)
    VALUES (${paymentId}, ${blockchainId}, ${address}, ${ctx.now()})
    RETURNING id, blockchain_id, address, status, claimed_at, declined_note`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('A claim was not inserted')
  return row
}

/** Declines an open claim of a payment; false when it is not open any more. */
export async function moveDeclined(
  ctx: Context,
  paymentId: bigint,
  { id, by, note }: { readonly id: bigint; readonly by: string; readonly note: string },
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE refund_claims SET status = 'declined', declined_at = ${ctx.now()}, declined_by = ${by}, declined_note = ${note}
    WHERE id = ${id} AND payment_id = ${paymentId} AND status = ANY('{open}') RETURNING id`.execute(ctx.db)
  return rows.length === 1
}

/** Binds an open claim to a payout of its payment that pays its very address; false when it is decided or names another one. */
export async function moveAccepted(ctx: Context, claimId: bigint, payoutId: bigint): Promise<boolean> {
  const { rows } = await sql`
    UPDATE refund_claims AS claim SET status = 'accepted', withdrawal_id = payout.id FROM withdrawals AS payout
    WHERE claim.id = ${claimId} AND claim.status = ANY('{open}') AND payout.id = ${payoutId}
      AND payout.refund_payment_id = claim.payment_id AND payout.blockchain_id = claim.blockchain_id
      AND payout.to_address = claim.address
    RETURNING claim.id`.execute(ctx.db)
  return rows.length === 1
}

/** Opens the claim of a payout again that ended without paying. */
export async function moveReopened(ctx: Context, payoutId: bigint): Promise<void> {
  await sql`UPDATE refund_claims SET status = 'open', withdrawal_id = NULL
    WHERE withdrawal_id = ${payoutId} AND status = ANY('{accepted}')`.execute(ctx.db)
}
