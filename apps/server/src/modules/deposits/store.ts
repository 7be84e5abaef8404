import { depositMachine } from '@kassa/contract/deposits/machine.ts'
import { type Selectable, sql } from 'kysely'

import type { Context } from '../../context.ts'
import type { Deposit, NewDeposit, Placement } from './deposit.ts'
import type { DepositTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<DepositTables>()

type Identity = { readonly blockchainId: number; readonly txId: string; readonly leg: string }

/** Inserts a deposit as `seen`; undefined when the database already holds this transfer, alive or of this same block. */
export async function insertDeposit(ctx: Context, id: Identity, deposit: NewDeposit): Promise<Deposit | undefined> {
  const { transfer, address } = deposit
  const { customerId, projectId } = address
  if (customerId === null || projectId === null) throw new Error(`The address ${transfer.to} belongs to no customer`)
  const row = await tables(ctx)
    .insertInto('deposits')
    .values({
      blockchain_id: id.blockchainId,
      asset_id: transfer.assetId,
      address_id: address.id,
      tx_id: id.txId,
      leg: id.leg,
      kind: transfer.kind,
      evidence: transfer.evidence,
      from_address: transfer.from,
      to_address: transfer.to,
      units: transfer.units,
      height: transfer.block.height,
      block_hash: transfer.block.hash,
      block_time: transfer.block.minedAt,
      customer_id: customerId,
      project_id: projectId,
      seen_at: ctx.now(),
      ...decided(deposit),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/**
 * Moves a transfer that a reorganisation had taken back, in the block it was in before, to `seen` again under the next
 * round; undefined when there is none.
 */
export async function moveSeenAgain(ctx: Context, id: Identity, deposit: NewDeposit): Promise<Deposit | undefined> {
  const row = await tables(ctx)
    .updateTable('deposits')
    .set((eb) => ({
      status: depositMachine.moves.seeAgain.to,
      round: eb('round', '+', 1),
      seen_at: ctx.now(),
      reverted_at: null,
      final_at: null,
      quorum: 0,
      waits_because: null,
      ...decided(deposit),
    }))
    .where('blockchain_id', '=', id.blockchainId)
    .where('tx_id', '=', id.txId)
    .where('leg', '=', id.leg)
    .where('block_hash', '=', deposit.transfer.block.hash)
    .where('status', 'in', depositMachine.moves.seeAgain.from)
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

function decided({ usdAtSeen, confirmationsRequired, rule, paymentId, reason, late, ...checks }: NewDeposit) {
  return {
    usd_at_seen: usdAtSeen,
    confirmations_required: confirmationsRequired,
    rule,
    payment_id: paymentId,
    reason,
    late,
    counted_units: checks.countedUnits,
    quorum_required: checks.quorumRequired ?? false,
    doubt: checks.doubt ?? null,
  }
}

/** Finds a deposit. */
export async function findDeposit(ctx: Context, id: bigint): Promise<Deposit | undefined> {
  const row = await tables(ctx).selectFrom('deposits').selectAll().where('id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/**
 * Moves a placed deposit because a person says so, under the next round; undefined when it is not in the state it must
 * leave. What it counts for is open until its payment is recomputed.
 */
export async function moveByPerson(
  ctx: Context,
  id: bigint,
  move: {
    from: 'applied' | 'unapplied' | 'quarantined'
    to: 'applied' | 'unapplied'
    paymentId: bigint | null
    reason: string | null
  },
): Promise<Deposit | undefined> {
  const row = await tables(ctx)
    .updateTable('deposits')
    .set((eb) => ({
      status: move.to,
      payment_id: move.paymentId,
      reason: move.reason,
      counted_units: null,
      doubt: null,
      round: eb('round', '+', 1),
    }))
    .where('id', '=', id)
    .where('status', '=', move.from)
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Finds the live deposit of a transfer, whichever block it is in. */
export async function findLiveDeposit(ctx: Context, id: Identity): Promise<Deposit | undefined> {
  const row = await tables(ctx)
    .selectFrom('deposits')
    .selectAll()
    .where('blockchain_id', '=', id.blockchainId)
    .where('tx_id', '=', id.txId)
    .where('leg', '=', id.leg)
    .where('status', '<>', 'reverted')
    .executeTakeFirst()
  return row && fromRow(row)
}

/**
 * Moves every deposit that has become final to `confirmed` in one statement (money.md 2.6), lowest block first: its
 * block is finalized, or its rule is depth and it lies deep enough below `tip`. One that needs a second source waits until
 * somebody was asked (2.8).
 */
export async function moveFinal(
  ctx: Context,
  { blockchainId, tip, finalized }: { blockchainId: number; tip: number; finalized: number },
): Promise<Deposit[]> {
  const { from, to } = depositMachine.moves.confirm
  const rows = await tables(ctx)
    .updateTable('deposits')
    .set({ status: to, final_at: ctx.now() })
    .where('blockchain_id', '=', blockchainId)
    .where('status', 'in', from)
    .where((eb) =>
      eb.or([
        eb('height', '<=', BigInt(finalized)),
        eb.and([
          eb('rule', '=', 'depth'),
          eb('height', '<=', sql<bigint>`${tip}::bigint - ${eb.ref('confirmations_required')} + 1`),
        ]),
      ]),
    )
    .where((eb) => eb.or([eb('quorum_required', '=', false), eb('quorum', '>', 0), eb('doubt', 'is not', null)]))
    .returningAll()
    .execute()
  return rows.map(fromRow).toSorted((a, b) => a.height - b.height || Number(a.id - b.id))
}

/** Moves a deposit to what its money turned out to mean; undefined when it is not in a state that leads there. */
export async function movePlaced(ctx: Context, id: bigint, placement: Placement): Promise<Deposit | undefined> {
  const row = await tables(ctx)
    .updateTable('deposits')
    .set({
      status: placement.status,
      payment_id: placement.paymentId,
      reason: placement.reason,
      late: placement.late,
    })
    .where('id', '=', id)
    .where('status', '=', depositMachine.moves.confirm.to)
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/** Moves every live deposit above a height to `reverted`, newest block first. */
export async function moveReverted(
  ctx: Context,
  { blockchainId, toHeight }: { blockchainId: number; toHeight: number },
): Promise<Deposit[]> {
  const { from, to } = depositMachine.moves.revert
  const rows = await tables(ctx)
    .updateTable('deposits')
    .set({ status: to, reverted_at: ctx.now() })
    .where('blockchain_id', '=', blockchainId)
    .where('height', '>', BigInt(toHeight))
    .where('status', 'in', from)
    .returningAll()
    .execute()
  return rows.map(fromRow).toSorted((a, b) => b.height - a.height || Number(b.id - a.id))
}

/** Lists the deposits of a payment, oldest first, those taken back included. */
export async function listDepositsOfPayment(ctx: Context, paymentId: bigint): Promise<Deposit[]> {
  const rows = await tables(ctx)
    .selectFrom('deposits')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
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

/** A row as the rest of the module knows it. */
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
    round: row.round,
    late: row.late,
    quorumRequired: row.quorum_required,
    quorum: row.quorum,
    doubt: row.doubt,
    waitsBecause: row.waits_because,
    paymentId: row.payment_id,
    countedUnits: row.counted_units === null ? null : BigInt(row.counted_units),
    customerId: row.customer_id,
    projectId: row.project_id,
    seenAt: row.seen_at,
    finalAt: row.final_at,
    revertedAt: row.reverted_at,
  }
}
