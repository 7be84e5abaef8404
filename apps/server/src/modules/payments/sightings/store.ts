import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import type { SightingReads, SightingTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<SightingTables & SightingReads>()

/** A transfer that no block holds yet. */
export type Sighting = {
  readonly txId: string
  readonly leg: string
  readonly addressId: bigint
  readonly assetId: number
  readonly paymentId: bigint | null
  readonly units: bigint
  readonly firstSeenAt: Date
  readonly goneAt: Date | null
  readonly replacedBy: string | null
}

type NewSighting = Pick<Sighting, 'txId' | 'leg' | 'addressId' | 'assetId' | 'paymentId' | 'units'>

/** It is a deposit; one that a reorganisation took the block of is none any more. */
const IS_DEPOSIT = sql<boolean>`EXISTS (
  SELECT FROM deposits AS deposit WHERE deposit.blockchain_id = mempool_sightings.blockchain_id
    AND deposit.tx_id = mempool_sightings.tx_id AND deposit.leg = mempool_sightings.leg AND deposit.status <> 'reverted')`

/** It is on its way: neither dropped, nor in a block, nor a deposit already. */
const IS_WAITING = sql<boolean>`mined_at IS NULL AND gone_at IS NULL AND NOT ${IS_DEPOSIT}`

/**
 * Stores sightings; one that was dropped, or that a reorganisation took the block of, and is seen again is on its way again.
 * The time of its first sighting stays.
 */
export async function upsertSightings(
  ctx: Context,
  blockchainId: number,
  sightings: readonly NewSighting[],
): Promise<void> {
  if (sightings.length === 0) return
  await tables(ctx)
    .insertInto('mempool_sightings')
    .values(
      sightings.map((one) => ({
        blockchain_id: blockchainId,
        tx_id: one.txId,
        leg: one.leg,
        address_id: one.addressId,
        asset_id: one.assetId,
        payment_id: one.paymentId,
        units: one.units.toString(),
        first_seen_at: ctx.now(),
        mined_at: null,
        gone_at: null,
        replaced_by: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['blockchain_id', 'tx_id', 'leg']).doUpdateSet((eb) => ({
        payment_id: eb.ref('excluded.payment_id'),
        mined_at: null,
        gone_at: null,
        replaced_by: null,
      })),
    )
    .execute()
}

/** Ids of transactions on a blockchain that wait, with the payments that wait for them. */
export async function listWaiting(
  ctx: Context,
  blockchainId: number,
): Promise<{ readonly txId: string; readonly leg: string; readonly paymentId: bigint | null }[]> {
  const rows = await tables(ctx)
    .selectFrom('mempool_sightings')
    .select(['tx_id', 'leg', 'payment_id'])
    .where('blockchain_id', '=', blockchainId)
    .where(IS_WAITING)
    .orderBy('first_seen_at')
    .execute()
  return rows.map((row) => ({ txId: row.tx_id, leg: row.leg, paymentId: row.payment_id }))
}

/** Lists the payments that transfers were sighted for, and then, oldest first, those of their deposits, reverted ones included. */
export async function listFormerPayments(
  ctx: Context,
  blockchainId: number,
  txIds: readonly string[],
): Promise<{ readonly txId: string; readonly leg: string; readonly paymentId: bigint }[]> {
  const { rows } = await sql<{ txId: string; leg: string; paymentId: bigint }>`
    SELECT tx_id AS "txId", leg, payment_id AS "paymentId" FROM (
      SELECT tx_id, leg, payment_id, id FROM deposits
      WHERE blockchain_id = ${blockchainId} AND tx_id = ANY(${txIds}::text[]) AND payment_id IS NOT NULL
      UNION ALL
      SELECT tx_id, leg, payment_id, 0 FROM mempool_sightings
      WHERE blockchain_id = ${blockchainId} AND tx_id = ANY(${txIds}::text[]) AND payment_id IS NOT NULL
    ) AS known ORDER BY id`.execute(ctx.db)
  return rows
}

/** It has become a deposit since it was looked at last. */
const IS_MINED = sql<boolean>`mined_at IS NULL AND gone_at IS NULL AND ${IS_DEPOSIT}`

/** A transaction that has become a deposit, and the payment that waited for it, whichever payment has the deposit. */
type Mined = { readonly txId: string; readonly paymentId: bigint | null }

/** Lists what has become a deposit since it was looked at last. */
export async function listMined(ctx: Context, blockchainId: number): Promise<Mined[]> {
  return tables(ctx)
    .selectFrom('mempool_sightings')
    .select(['tx_id as txId', 'payment_id as paymentId'])
    .where('blockchain_id', '=', blockchainId)
    .where(IS_MINED)
    .execute()
}

/** Notes which of these have become deposits, where the same payments wait for them still. */
export async function markMined(ctx: Context, blockchainId: number, mined: readonly Mined[]): Promise<void> {
  const paymentIds = mined.flatMap(({ paymentId }) => paymentId ?? [])
  await tables(ctx)
    .updateTable('mempool_sightings')
    .set({ mined_at: ctx.now() })
    .where('blockchain_id', '=', blockchainId)
    .where(sql<boolean>`tx_id = ANY(${mined.map(({ txId }) => txId)}::text[])`)
    .where(sql<boolean>`(payment_id IS NULL OR payment_id = ANY(${paymentIds}::bigint[]))`)
    .where(IS_MINED)
    .execute()
}

/** Marks a transaction as dropped: it is in no mempool and no block. */
export async function markGone(
  ctx: Context,
  blockchainId: number,
  { txId, replacedBy }: { txId: string; replacedBy: string | null },
): Promise<void> {
  await tables(ctx)
    .updateTable('mempool_sightings')
    .set({ gone_at: ctx.now(), replaced_by: replacedBy })
    .where('blockchain_id', '=', blockchainId)
    .where('tx_id', '=', txId)
    .where('mined_at', 'is', null)
    .where('gone_at', 'is', null)
    .execute()
}

/** What is on its way to each of these payments; payments without anything are left out. */
export async function listSighted(
  ctx: Context,
  paymentIds: readonly bigint[],
): Promise<Map<bigint, { readonly txId: string; readonly leg: string }[]>> {
  if (paymentIds.length === 0) return new Map()
  const rows = await tables(ctx)
    .selectFrom('mempool_sightings')
    .select((eb) => [eb.ref('payment_id').$notNull().as('id'), 'tx_id as txId', 'leg'])
    .where('payment_id', 'in', paymentIds)
    .where(IS_WAITING)
    .execute()
  return Map.groupBy(rows, ({ id }) => id)
}

/** Lists what was sighted for a payment and is no deposit: on its way, or dropped; oldest first. */
export async function listOfPayment(ctx: Context, paymentId: bigint): Promise<Sighting[]> {
  const rows = await tables(ctx)
    .selectFrom('mempool_sightings')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('mined_at', 'is', null)
    .where(sql<boolean>`NOT ${IS_DEPOSIT}`)
    .orderBy('first_seen_at')
    .execute()
  return rows.map((row) => ({
    txId: row.tx_id,
    leg: row.leg,
    addressId: row.address_id,
    assetId: row.asset_id,
    paymentId: row.payment_id,
    units: BigInt(row.units),
    firstSeenAt: row.first_seen_at,
    goneAt: row.gone_at,
    replacedBy: row.replaced_by,
  }))
}

/** Whether another transaction that was read spends the coins of this one, and no block holds it. */
export async function isReplaced(ctx: Context, blockchainId: number, txId: string): Promise<boolean> {
  const row = await tables(ctx)
    .selectFrom('mempool_sightings')
    .select('tx_id')
    .where('blockchain_id', '=', blockchainId)
    .where('tx_id', '=', txId)
    .where('mined_at', 'is', null)
    .where('replaced_by', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** When these transactions were first seen, before a block held them. */
export async function listFirstSeen(
  ctx: Context,
  blockchainId: number,
  txIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await tables(ctx)
    .selectFrom('mempool_sightings')
    .select(['tx_id', 'first_seen_at'])
    .where('blockchain_id', '=', blockchainId)
    .where('tx_id', 'in', [...txIds])
    .execute()
  return new Map(rows.map((row) => [row.tx_id, row.first_seen_at]))
}
