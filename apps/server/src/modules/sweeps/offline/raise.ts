import { fail } from '@kassa/contract/kit/api-error.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { feeRateOf, isNodesFault, outputChainOf, sessionOf } from '../planner/service.ts'
import { listInputs, listPsbts } from '../record/outputs-store.ts'
import type { SweepRow } from '../record/service.ts'
import { findSweep, lockSweep, updateSweep } from '../record/store.ts'
import { hintSweep } from '../record/announce.ts'
import { assetOf, buildBatch, type BuiltBatch, materialOf, storePsbt } from './batches.ts'

/** The next transaction of a sweep: the same outputs to the same address, at a higher fee. */
export type Raise = { readonly n: number; readonly before: bigint; readonly built: BuiltBatch }

/** Nodes accept a replacement that pays one more unit for each of its bytes (BIP-125, rule 4). */
const STEP_PER_BYTE = 1n

/** The fee rises by half where the request names none. */
const RAISE = { by: 3n, of: 2n }

/** A transaction pays at most a twentieth of what it moves, whatever the market asks. */
const MOST_PART = 20n

/**
 * Builds the replacement of a signed batch that no block holds; null where no device signs the sweep. Call it outside of
 * transactions.
 * @throws SWEEP_NOT_FOUND, SWEEP_NOT_FAILED, VALIDATION_FAILED
 */
export async function prepareRaise(ctx: Context, id: number, asked: string | null): Promise<Raise | null> {
  const row = (await findSweep(ctx, BigInt(id))) ?? fail('SWEEP_NOT_FOUND')
  if (row.sent_by !== 'device') return null
  const [newest] = await listPsbts(ctx, row.id)
  const isSent = row.status === 'sweep-initiated' || row.status === 'broadcast'
  if (!newest || !isSent || row.final_height !== null) return fail('SWEEP_NOT_FAILED')
  if (newest.raw === null) fail('SWEEP_NOT_FAILED', { details: 'Its last transaction waits for a signature.' })
  const asset = await assetOf(ctx, row)
  const outputs = (await listInputs(ctx, row.id)).map((input) => ({ ...input, index: input.derivation_index }))
  const before = BigInt(newest.fee_units)
  const wanted = { walletId: row.wallet_id, collector: row.collector, fee: before, outputs }
  const { chain, psbts, plan } = await materialOf(ctx, asset, wanted)
  const sizes = psbts.sizes(chain, { source: plan.source, to: plan.to })
  const size = sizes.base + sizes.input * BigInt(outputs.length)
  const least = before + size * STEP_PER_BYTE
  const most = outputs.reduce((sum, { units }) => sum + BigInt(units), 0n) / MOST_PART
  const fee = asked === null ? await usualFee(ctx, row, { before, least, size }) : parseFee(asked, asset.decimals)
  const amount = (units: bigint) => `${formatUnits(units, asset.decimals)} ${asset.currencyCode}`
  if (fee < least) fail('SWEEP_NOT_FAILED', { details: `Name a network fee of ${amount(least)} at least.` })
  if (fee > most) fail('SWEEP_NOT_FAILED', { details: `It pays a network fee of ${amount(most)} at most.` })
  return { n: newest.n + 1, before, built: await buildBatch(ctx, asset, { ...wanted, fee }) }
}

type Fee = { readonly before: bigint; readonly least: bigint; readonly size: bigint }

/** What the market asks now, but at least half as much again as before. */
async function usualFee(ctx: Context, row: SweepRow, { before, least, size }: Fee): Promise<bigint> {
  const chain = await outputChainOf(ctx, await assetOf(ctx, row))
  const session = chain && (await sessionOf(ctx, row.blockchain_id))
  let market = 0n
  try {
    if (session) market = (await feeRateOf(ctx, chain, session)) * size
  } catch (error) {
    if (!isNodesFault(error)) throw error
  }
  return [market, least, (before * RAISE.by) / RAISE.of].reduce((most, one) => (one > most ? one : most))
}

function parseFee(text: string, decimals: number): bigint {
  if ((text.split('.')[1] ?? '').length <= decimals) return parseUnits(text, decimals)
  const message = `At most ${decimals} decimals`
  return fail('VALIDATION_FAILED', { message, fields: { maxFee: message } })
}

/**
 * Hands out the replacement of a batch. The transaction before it stays valid until a block decides.
 * @throws SWEEP_NOT_FAILED where the sweep has moved on meanwhile
 */
export async function raiseBatch(tx: Context, id: number, { n, before, built }: Raise): Promise<SweepRow> {
  const row = (await lockSweep(tx, BigInt(id))) ?? fail('SWEEP_NOT_FOUND')
  const [newest] = await listPsbts(tx, row.id)
  const isSent = row.status === 'sweep-initiated' || row.status === 'broadcast'
  if (!isSent || row.final_height !== null || newest?.n !== n - 1) return fail('SWEEP_NOT_FAILED')
  await storePsbt(tx, row, built, n)
  await updateSweep(tx, row.id, { max_fee: built.fee })
  tx.change({ sweepID: id, maxFee: String(before) }, { sweepID: id, maxFee: String(built.fee) })
  hintSweep(tx, row.id)
  return row
}
