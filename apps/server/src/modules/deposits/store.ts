import type { DepositReason } from '@kassa/contract/deposits/reasons.ts'
import { usdOf } from '@kassa/primitives/money/usd.ts'
import { type Selectable, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Deposit } from './deposit.ts'
import type { DepositTables } from './tables.ts'
import type { Transfer } from '@kassa/chains/adapter.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<DepositTables>()

/** Finds a deposit. */
export async function findDeposit(ctx: Context, id: bigint): Promise<Deposit | undefined> {
  const row = await tables(ctx).selectFrom('deposits').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/**
 * Moves a final deposit for an operator, under the next revision; undefined when it is not in the state it must leave.
 * What it counts for stays open until its payment is recomputed.
 */
export async function moveByPerson(
  ctx: Context,
  id: bigint,
  move: {
    from: 'applied' | 'unapplied' | 'quarantined'
    to: 'applied' | 'unapplied'
    paymentId: bigint | null
    reason: DepositReason | null
    late: boolean
  },
): Promise<Deposit | undefined> {
  const row = await tables(ctx)
    .updateTable('deposits')
    .set((eb) => ({
      status: move.to,
      payment_id: move.paymentId,
      reason: move.reason,
      late: move.late,
      // A quarantined deposit that stays with its payment counts as it did before.
      counted_units:
        move.from === 'quarantined'
          ? sql<string | null>`CASE WHEN payment_id = ${move.paymentId}::bigint THEN counted_units END`
          : null,
      counted_usd:
        move.from === 'quarantined'
          ? sql<string | null>`CASE WHEN payment_id = ${move.paymentId}::bigint THEN counted_usd END`
          : null,
      quarantine_reason: null,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    // Units committed to a refund stay where they are until the refund has ended.
    .where('refund_committed_units', '=', '0')
    .where('status', '=', move.from)
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Counts the deposits of a blockchain that are not final yet. */
export async function countSeen(ctx: Context, blockchainId: number): Promise<number> {
  const row = await tables(ctx)
    .selectFrom('deposits')
    .select((eb) => eb.fn.countAll<bigint>().as('waiting'))
    .where('blockchain_id', '=', blockchainId)
    .where('status', '=', 'seen')
    .executeTakeFirstOrThrow()
  return Number(row.waiting)
}

/** A row as the rest of the module uses it. */
export function fromRow(row: Selectable<DepositTables['deposits']>): Deposit {
  return {
    id: row.id,
    blockchainId: row.blockchain_id,
    assetId: row.asset_id,
    addressId: row.address_id,
    txId: row.tx_id,
    leg: row.leg,
    kind: row.kind,
    evidence: row.evidence,
    from: row.from_address,
    to: row.to_address,
    units: BigInt(row.units),
    usdAtSeen: row.usd_at_seen,
    height: Number(row.height),
    blockHash: row.block_hash,
    blockTime: row.block_time,
    confirmationsRequired: row.confirmations_required,
    rule: row.rule,
    status: row.status,
    reason: row.reason,
    revision: row.revision,
    late: row.late,
    quorumRequired: row.quorum_required,
    quorum: row.quorum,
    quarantineReason: row.quarantine_reason,
    waits: row.waits,
    paymentId: row.payment_id,
    countedUnits: row.counted_units === null ? null : BigInt(row.counted_units),
    countedUsd: row.counted_usd === null ? null : usdOf(row.counted_usd),
    customerId: row.customer_id,
    projectId: row.project_id,
    seenAt: row.seen_at,
    finalAt: row.final_at,
    revertedAt: row.reverted_at,
  }
}

/**
 * Stores the transfer that a live deposit by balance turned out to be; false when it is not one, or when that transfer
 * has a row of its own.
 */
export async function updateEvidence(ctx: Context, id: bigint, transfer: Transfer): Promise<boolean> {
  const { txId, leg, kind, evidence, senders, block } = transfer
  const { numAffectedRows = 0n } = await sql`
    UPDATE deposits AS deposit SET tx_id = ${txId}, leg = ${leg}, kind = ${kind}, evidence = ${evidence},
      from_address = ${senders[0] ?? null}, height = ${block.height}, block_hash = ${block.hash}, block_time = ${block.minedAt}
    WHERE deposit.id = ${id} AND deposit.evidence = 'balance' AND deposit.status <> 'reverted'
      AND deposit.units = ${String(transfer.units)}::numeric AND NOT EXISTS (
        SELECT FROM deposits AS other WHERE other.blockchain_id = deposit.blockchain_id
          AND other.block_hash = ${block.hash} AND other.tx_id = ${txId} AND other.leg = ${leg})`.execute(ctx.db)
  return numAffectedRows === 1n
}

/** Stores the value of a deposit at arrival, unless that is known already. */
export async function updateValue(ctx: Context, id: bigint, usd: string): Promise<void> {
  await ctx.db
    .$extendTables<DepositTables>()
    .updateTable('deposits')
    .set({ usd_at_seen: usd })
    .where('id', '=', id)
    .where('usd_at_seen', 'is', null)
    .execute()
}

/** How much of a final deposit can be refunded. */
export type RefundableDeposit = {
  readonly id: bigint
  readonly status: 'applied' | 'unapplied'
  readonly assetId: number
  readonly paymentId: bigint | null
  readonly units: bigint
  /** Committed to refunds that have not ended without paying. */
  readonly committed: bigint
}

type RefundableRow = {
  readonly id: bigint
  readonly status: 'applied' | 'unapplied'
  readonly asset_id: number
  readonly payment_id: bigint | null
  readonly units: string
  readonly committed: string
}

/** The final deposits of a payment, and the unmatched ones of its customer: newest first. */
export async function listRefundable(
  ctx: Context,
  { paymentId, customerId }: { readonly paymentId: bigint; readonly customerId: number },
  { isLocked }: { readonly isLocked: boolean },
): Promise<RefundableDeposit[]> {
  const { rows } = await sql<RefundableRow>`
    SELECT id, status, asset_id, payment_id, units::text AS units, refund_committed_units::text AS committed
    FROM deposits
    WHERE (payment_id = ${paymentId} AND status IN ('applied', 'unapplied'))
      OR (customer_id = ${customerId} AND status = 'unapplied')
    ORDER BY id DESC ${isLocked ? sql`FOR UPDATE` : sql``}`.execute(ctx.db)
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    assetId: row.asset_id,
    paymentId: row.payment_id,
    units: BigInt(row.units),
    committed: BigInt(row.committed),
  }))
}

/** Commits units of a final deposit to a refund; false when fewer are left. */
export async function addCommitted(ctx: Context, id: bigint, units: bigint): Promise<boolean> {
  const { rows } = await sql`
    UPDATE deposits SET refund_committed_units = refund_committed_units + ${units}
    WHERE id = ${id} AND units - refund_committed_units >= ${units} AND status IN ('applied', 'unapplied')
    RETURNING id`.execute(ctx.db)
  return rows.length === 1
}

/** Releases committed units of a deposit. */
export async function subtractCommitted(ctx: Context, id: bigint, units: bigint): Promise<void> {
  await sql`
    UPDATE deposits SET refund_committed_units = refund_committed_units - ${units} WHERE id = ${id}`.execute(ctx.db)
}

/** Lets no other transaction move money of a blockchain until this one ends: neither the follower nor a rescan. */
export async function lockMoneyOf(ctx: Context, blockchainId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('money of a blockchain'), ${blockchainId})`.execute(ctx.db)
}
