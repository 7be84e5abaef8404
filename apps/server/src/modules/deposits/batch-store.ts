/**
 * Statements over whole sets of deposits: one statement each, however many blocks are credited at once (money.md W-2).
 */
import { depositMachine } from '@kassa/contract/deposits/machine.ts'
import { usd } from '@kassa/primitives/money/usd.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'

import type { Context } from '../../context.ts'
import { recordset, rowsInto } from '../../db/recordset.ts'
import type { Counted, Deposit, NewDeposit } from './deposit.ts'
import { fromRow } from './store.ts'
import type { DepositTables } from './tables.ts'

type Row = Selectable<DepositTables['deposits']>

/** What identifies a transfer on its blockchain, whichever block it is in. */
export type Identity = { readonly txId: string; readonly leg: string }

/** One text per identity; neither part contains a space. */
export function identityOf({ txId, leg }: Identity): string {
  return `${txId} ${leg}`
}

/**
 * Inserts deposits as `seen`, in the order given; skips those the database already holds, live or of the same block.
 */
export async function insertDeposits(ctx: Context, deposits: readonly NewDeposit[]): Promise<Deposit[]> {
  const now = ctx.now()
  const { rows } = await sql<Row>`
    INSERT INTO ${rowsInto(
      'deposits',
      deposits.map((deposit) => newRow(deposit, now)),
    )}
    ON CONFLICT DO NOTHING RETURNING *`.execute(ctx.db)
  return rows.map(fromRow)
}

function newRow(deposit: NewDeposit, now: Date) {
  const { transfer, address } = deposit
  const { customerId, projectId } = address
  if (customerId === null || projectId === null) throw new Error(`The address ${transfer.to} belongs to no customer`)
  return {
    ...identityRow(deposit),
    asset_id: transfer.assetId,
    address_id: address.id,
    kind: transfer.kind,
    evidence: transfer.evidence,
    from_address: transfer.senders[0] ?? null,
    to_address: transfer.to,
    units: transfer.units,
    height: transfer.block.height,
    block_time: transfer.block.minedAt,
    customer_id: customerId,
    project_id: projectId,
    seen_at: now,
    ...decided(deposit),
  }
}

function identityRow({ blockchainId, transfer }: NewDeposit) {
  return { blockchain_id: blockchainId, tx_id: transfer.txId, leg: transfer.leg, block_hash: transfer.block.hash }
}

function decided(deposit: NewDeposit) {
  return {
    usd_at_seen: deposit.usdAtSeen,
    confirmations_required: deposit.confirmationsRequired,
    rule: deposit.rule,
    payment_id: deposit.paymentId,
    counted_units: deposit.countedUnits,
    counted_usd: deposit.countedUsd === null ? null : usd(deposit.countedUsd),
    reason: deposit.reason,
    late: deposit.late,
    quorum_required: deposit.quorumRequired ?? false,
    quarantine_reason: deposit.quarantineReason ?? null,
  }
}

/**
 * Moves transfers that a reorganisation reverted, and that are in the same block again, back to `seen` under the next
 * revision; those that are live in another block stay unchanged.
 */
export async function moveSeenAgain(ctx: Context, deposits: readonly NewDeposit[]): Promise<Deposit[]> {
  const rows = deposits.map((deposit) => ({ ...identityRow(deposit), ...decided(deposit) }))
  const { to, from } = depositMachine.moves.seeAgain
  const found = await sql<Row>`
    UPDATE deposits AS deposit SET
      status = ${to}, revision = deposit.revision + 1, seen_at = ${ctx.now()}, reverted_at = NULL, final_at = NULL, quorum = 0,
      waits = NULL, usd_at_seen = again.usd_at_seen, confirmations_required = again.confirmations_required,
      rule = again.rule, payment_id = again.payment_id, counted_units = again.counted_units, counted_usd = again.counted_usd,
      reason = again.reason, late = again.late, quorum_required = again.quorum_required, quarantine_reason = again.quarantine_reason
    FROM ${recordset('deposits', rows)} AS again
    WHERE deposit.blockchain_id = again.blockchain_id AND deposit.block_hash = again.block_hash
      AND deposit.tx_id = again.tx_id AND deposit.leg = again.leg AND deposit.status = ANY(${from}::text[])
      AND NOT EXISTS (
        SELECT FROM deposits AS alive WHERE alive.blockchain_id = again.blockchain_id AND alive.tx_id = again.tx_id
          AND alive.leg = again.leg AND alive.status <> 'reverted')
    RETURNING deposit.*`.execute(ctx.db)
  return found.rows.map(fromRow)
}

/**
 * Lists which of these transfers are live, and which were reverted: in the block that now reports them, or in another one while a
 * payment had them.
 */
export async function listKnown(
  ctx: Context,
  blockchainId: number,
  transfers: readonly (Identity & { readonly blockHash: string })[],
): Promise<Deposit[]> {
  const reported = sql`unnest(
    ${transfers.map(({ txId }) => txId)}::text[], ${transfers.map(({ leg }) => leg)}::text[],
    ${transfers.map(({ blockHash }) => blockHash)}::text[]) AS reported (tx_id, leg, block_hash)`
  const { rows } = await sql<Row>`
    SELECT deposit.* FROM ${reported} JOIN deposits AS deposit USING (tx_id, leg)
    WHERE deposit.blockchain_id = ${blockchainId} AND deposit.status <> 'reverted'
    UNION ALL
    SELECT deposit.* FROM ${reported} JOIN deposits AS deposit USING (block_hash, tx_id, leg)
    WHERE deposit.blockchain_id = ${blockchainId} AND deposit.status = 'reverted'
    UNION ALL
    SELECT deposit.* FROM ${reported} JOIN deposits AS deposit USING (tx_id, leg)
    WHERE deposit.blockchain_id = ${blockchainId} AND deposit.status = 'reverted' AND deposit.payment_id IS NOT NULL
      AND deposit.block_hash <> reported.block_hash`.execute(ctx.db)
  return rows.map(fromRow)
}

/** Lists which of these deposits were reverted and are live in another block. */
export async function listReturned(ctx: Context, ids: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT deposit.id FROM deposits AS deposit JOIN deposits AS alive USING (blockchain_id, tx_id, leg)
    WHERE deposit.id = ANY(${ids.map(String)}::bigint[]) AND deposit.status = 'reverted' AND alive.status <> 'reverted'`.execute(
    ctx.db,
  )
  return rows.map(({ id }) => id)
}

/** The position of a blockchain: the newest block that was read, and the newest final one (−1 when it has none). */
export type ChainPosition = { readonly blockchainId: number; readonly tip: number; readonly finalized: number }

/**
 * SQL condition on `deposit`: it has become final. Its block is finalized, or its rule is depth and it is deep enough below the
 * tip (money.md 2.6). One that needs a quorum waits for its cross-check (2.8).
 */
export function isFinal({ blockchainId, tip, finalized }: ChainPosition): RawBuilder<boolean> {
  return sql`deposit.blockchain_id = ${blockchainId} AND deposit.status = ${depositMachine.initial}
    AND (deposit.height <= ${finalized}
      OR (deposit.rule = 'depth' AND deposit.height <= ${tip}::bigint - deposit.confirmations_required + 1))
    AND (NOT deposit.quorum_required OR deposit.quorum > 0 OR deposit.quarantine_reason IS NOT NULL)`
}

/** SQL condition on `deposit`: a reorganisation down to this height reverts it. */
export function isAbove(blockchainId: number, toHeight: number): RawBuilder<boolean> {
  return sql`deposit.blockchain_id = ${blockchainId} AND deposit.height > ${toHeight}
    AND deposit.status = ANY(${depositMachine.moves.revert.from}::text[])`
}

/** Lists deposits that have become final, lowest block first; with `owners`, only those of these customers. */
export async function listFinal(
  ctx: Context,
  position: ChainPosition,
  owners: readonly number[] | undefined,
): Promise<Deposit[]> {
  const { rows } = await sql<Row>`
    SELECT * FROM deposits AS deposit
    WHERE ${isFinal(position)} AND ${owners ? sql`deposit.customer_id = ANY(${owners}::int[])` : sql`true`}
    ORDER BY height, id`.execute(ctx.db)
  return rows.map(fromRow)
}

/**
 * Moves deposits that have become final to their disposition; returns the ids of those that were waiting for it. They
 * pass `confirmed` within this one statement, because a row that is written twice updates all its indexes twice.
 */
export async function saveDispositions(ctx: Context, placed: readonly Deposit[]): Promise<bigint[]> {
  const rows = placed.map(({ id, status, paymentId, reason, late, finalAt }) => ({
    id,
    status,
    payment_id: paymentId,
    reason,
    late,
    final_at: finalAt,
  }))
  const moved = await sql<{ id: bigint }>`
    UPDATE deposits AS deposit
    SET status = placed.status, payment_id = placed.payment_id, reason = placed.reason, late = placed.late,
      final_at = placed.final_at
    FROM ${recordset('deposits', rows)} AS placed
    WHERE deposit.id = placed.id AND deposit.status = ${depositMachine.initial}
    RETURNING deposit.id`.execute(ctx.db)
  return moved.rows.map(({ id }) => id)
}

/** Moves every live deposit above a height to `reverted`, newest block first. */
export async function moveReverted(
  ctx: Context,
  { blockchainId, toHeight }: { blockchainId: number; toHeight: number },
): Promise<Deposit[]> {
  const { rows } = await sql<Row>`
    UPDATE deposits AS deposit SET status = ${depositMachine.moves.revert.to}, reverted_at = ${ctx.now()}
    WHERE ${isAbove(blockchainId, toHeight)} RETURNING *`.execute(ctx.db)
  return rows.map(fromRow).toSorted((a, b) => b.height - a.height || Number(b.id - a.id))
}

/** Sets what deposits count for. */
export async function updateCounted(ctx: Context, counted: readonly Counted[]): Promise<void> {
  await sql`
    UPDATE deposits AS deposit SET counted_units = counted.units, counted_usd = counted.usd
    FROM unnest(
      ${counted.map(({ id }) => String(id))}::bigint[], ${counted.map(({ units }) => String(units))}::numeric[],
      ${counted.map((one) => usd(one.usd))}::numeric[]
    ) AS counted (id, units, usd)
    WHERE deposit.id = counted.id`.execute(ctx.db)
}

/** Lists the deposits of payments, oldest first, including reverted ones. */
export async function listDepositsOfPayments(ctx: Context, paymentIds: readonly bigint[]): Promise<Deposit[]> {
  if (paymentIds.length === 0) return []
  const { rows } = await sql<Row>`
    SELECT * FROM deposits WHERE payment_id = ANY(${paymentIds}::bigint[]) ORDER BY id`.execute(ctx.db)
  return rows.map(fromRow)
}
