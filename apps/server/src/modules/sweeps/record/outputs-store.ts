import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { PsbtRow, SweepTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<SweepTables>()

/** An output of a deposit address. */
export type OutputRow = {
  readonly address_id: bigint
  readonly tx_id: string
  readonly vout: number
  readonly units: string
}

/** An output that a sweep spends, with the derivation path of its key. */
export type InputRow = OutputRow & { readonly address: string; readonly derivation_index: number }

/** Reserves outputs for a sweep. False where one of them is part of another sweep: the transaction must be rolled back. */
export async function insertInputs(
  ctx: Context,
  { sweepId, blockchainId }: { readonly sweepId: bigint; readonly blockchainId: number },
  outputs: readonly OutputRow[],
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tables(ctx)
    .insertInto('sweep_inputs')
    .values(outputs.map((output) => ({ ...output, sweep_id: sweepId, blockchain_id: blockchainId })))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === BigInt(outputs.length)
}

/** Releases the outputs of a sweep that was abandoned. */
export async function releaseInputs(ctx: Context, sweepId: bigint): Promise<void> {
  await tables(ctx)
    .updateTable('sweep_inputs')
    .set({ released_at: ctx.now() })
    .where('sweep_id', '=', sweepId)
    .where('released_at', 'is', null)
    .execute()
}

/** Lists the outputs that a sweep spends, in the order of its transactions. */
export async function listInputs(ctx: Context, sweepId: bigint): Promise<InputRow[]> {
  const { rows } = await sql<InputRow>`
    SELECT input.address_id, input.tx_id, input.vout, input.units::text AS units, address.address, address.derivation_index
    FROM sweep_inputs AS input JOIN addresses AS address ON address.id = input.address_id
    WHERE input.sweep_id = ${sweepId} ORDER BY input.tx_id COLLATE "C", input.vout`.execute(ctx.db)
  return rows
}

/** Lists the outputs of addresses that a sweep has reserved or spent. */
export async function listReserved(
  ctx: Context,
  blockchainId: number,
  addressIds: readonly bigint[],
): Promise<{ readonly tx_id: string; readonly vout: number }[]> {
  const { rows } = await sql<{ tx_id: string; vout: number }>`
    SELECT tx_id, vout FROM sweep_inputs
    WHERE blockchain_id = ${blockchainId} AND address_id = ANY(${addressIds.map(String)}::bigint[]) AND released_at IS NULL`.execute(
    ctx.db,
  )
  return rows
}

/** Adds a transaction to a sweep, without its signatures. */
export async function insertPsbt(
  ctx: Context,
  psbt: Pick<PsbtRow, 'sweep_id' | 'n' | 'blockchain_id' | 'tx_id' | 'psbt'> & { readonly fee_units: bigint },
): Promise<void> {
  await tables(ctx)
    .insertInto('sweep_psbts')
    .values({ ...psbt, created_at: ctx.now() })
    .execute()
}

/** Whether a transaction was handed out before. */
export async function isPsbtKnown(ctx: Context, blockchainId: number, txId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM sweep_psbts WHERE blockchain_id = ${blockchainId} AND tx_id = ${txId}`.execute(ctx.db)
  return rows.length > 0
}

/** The transactions of a sweep, newest first. */
export async function listPsbts(ctx: Context, sweepId: bigint): Promise<PsbtRow[]> {
  return tables(ctx)
    .selectFrom('sweep_psbts')
    .selectAll()
    .where('sweep_id', '=', sweepId)
    .orderBy('n', 'desc')
    .execute()
}

/** Stores the signed bytes of a transaction, once; false when another process has. */
export async function updateSigned(
  ctx: Context,
  { sweep_id, n }: Pick<PsbtRow, 'sweep_id' | 'n'>,
  signed: { readonly raw: Buffer; readonly signed_by: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tables(ctx)
    .updateTable('sweep_psbts')
    .set({ ...signed, signed_at: ctx.now() })
    .where('sweep_id', '=', sweep_id)
    .where('n', '=', n)
    .where('raw', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
