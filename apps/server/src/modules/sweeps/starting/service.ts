/** What operators do with sweeps: plan, start, cancel, retry, and report what their own wallet sent (api.md S5–S8, K14, K15). */
import { adapterOf } from '../../blockchains/chains/service.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { SentSweep } from '@kassa/chains/sweep-vaults.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { type Asset, listAssets } from '../../blockchains/chains/service.ts'
import { lockMoney } from '../../deposits/service.ts'
import { findSweepOfAddresses, findUse, isOfSweep, updateTransaction } from '../following/service.ts'
import { isNodesFault, sessionOf } from '../planner/service.ts'
import { hintSweep } from '../record/announce.ts'
import { cancelSweep, type SweepRow } from '../record/service.ts'
import { findSweep, lockSweep, updateSweep } from '../record/store.ts'
import { raiseCeiling } from '../../sends/service.ts'
import { insertTransaction, recordFound } from '../settlement/service.ts'
import { blockchainByHand } from './initiate.ts'
import { announceDue } from './plans.ts'
import { findStuckSend } from './store.ts'

export { assetByHand, blockchainByHand, initiatePrepared, prepareSweep } from './initiate.ts'
export { announceDue, buildPlan, lockedUntil, startPlan, storePlan } from './plans.ts'
export { deleteOldPlans } from './store.ts'

type Named = { readonly sweepId: number | null; readonly addressIds: readonly number[] | null }

/** @throws SWEEP_NOT_FOUND */
async function named(ctx: Context, blockchainId: number, { sweepId, addressIds }: Named): Promise<SweepRow> {
  const id = sweepId ?? (addressIds && (await findSweepOfAddresses(ctx, blockchainId, addressIds)))
  const row = id === null || id === undefined ? undefined : await findSweep(ctx, BigInt(id))
  return row?.blockchain_id === blockchainId ? row : fail('SWEEP_NOT_FOUND')
}

/**
 * Cancels a sweep that has no transaction: its addresses are free again. What the chain shows later still decides.
 * @throws SWEEP_NOT_FOUND, SWEEP_TX_RECORDED
 */
export async function cancelByHand(ctx: Context, asset: Asset, name: Named): Promise<SweepRow> {
  return inTransaction(ctx, async (tx) => {
    const { id } = await named(tx, asset.blockchainId, name)
    const before = (await lockSweep(tx, id)) ?? fail('SWEEP_NOT_FOUND')
    if (before.asset_id !== asset.id) fail('SWEEP_NOT_FOUND')
    if (before.status === 'sweep-cancelled') return before
    const isSigned = before.send_id !== null || before.tx_id !== null
    const isOpen = before.status === 'planned' || before.status === 'sweep-initiated'
    if (isSigned || !isOpen) fail('SWEEP_TX_RECORDED')
    const row = (await cancelSweep(tx, before, null)) ?? fail('SWEEP_TX_RECORDED')
    tx.change({ sweepID: Number(id), status: before.status }, { sweepID: Number(id), status: row.status })
    hintSweep(tx, id)
    return row
  })
}

/** The fee rises by half where the request names none; nodes accept a replacement that pays at least an eighth more. */
const RAISE = { by: 3n, of: 2n }

/**
 * Raises the fee ceiling of a stuck sweep under the same sequence, or tries a waiting one at once.
 * @throws SWEEP_NOT_FOUND, SWEEP_NOT_FAILED, VALIDATION_FAILED
 */
export async function retrySweep(ctx: Context, id: number, asked: string | null): Promise<SweepRow> {
  return inTransaction(ctx, async (tx) => {
    const row = (await findSweep(tx, BigInt(id))) ?? fail('SWEEP_NOT_FOUND')
    if (row.status === 'planned' && row.wait_code !== null) {
      await updateSweep(tx, row.id, { due_at: tx.now() })
      announceDue(tx)
    } else await raise(tx, row, asked)
    hintSweep(tx, row.id)
    return (await findSweep(tx, row.id)) ?? row
  })
}

async function raise(tx: Context, { id, send_id: sendId, status }: SweepRow, asked: string | null): Promise<void> {
  const isSent = status === 'sweep-initiated' || status === 'broadcast'
  const stuck = isSent && sendId !== null ? await findStuckSend(tx, sendId) : undefined
  if (!stuck || sendId === null) return fail('SWEEP_NOT_FAILED', { details: 'It is not stuck.' })
  const coin = (await listAssets(tx)).find((one) => one.id === stuck.feeAssetId) ?? fail('ASSET_NOT_FOUND')
  const maxFee = asked === null ? (stuck.feeCeiling * RAISE.by) / RAISE.of : unitsOf(coin, asked)
  const raised = await raiseCeiling(tx, { sendId, maxFee })
  if (raised === 'short') fail('SWEEP_NOT_FAILED', { details: 'The hot wallet does not hold that much for the fee.' })
  if (raised === 'unchanged') fail('SWEEP_NOT_FAILED', { details: 'Name a higher network fee than before.' })
  await updateSweep(tx, id, { max_fee: maxFee })
  tx.change({ sweepID: Number(id), maxFee: String(stuck.feeCeiling) }, { sweepID: Number(id), maxFee: String(maxFee) })
}

function unitsOf({ decimals, currencyCode }: Asset, text: string): bigint {
  if ((text.split('.')[1] ?? '').length <= decimals) return parseUnits(text, decimals)
  const message = `At most ${decimals} decimals for ${currencyCode}`
  return fail('VALIDATION_FAILED', { message, fields: { maxFee: message } })
}

/** What the caller says their wallet sent. */
export type Report = Named & { readonly blockchain: string; readonly txHash: string }

/** What a node knows of a reported transaction; null while no node answers. */
type ReportSeen = { readonly txId: string; readonly blockchainId: number; readonly sent: SentSweep | null }

/**
 * Asks a node about a reported transaction. Call it outside of transactions.
 * @throws SWEEP_NETWORK_UNSUPPORTED, TRANSACTION_INVALID
 */
export async function lookUpReport(ctx: Context, { blockchain: name, txHash }: Report): Promise<ReportSeen> {
  const blockchain = findBlockchain(blockchainByHand(name)) ?? fail('SWEEP_NETWORK_UNSUPPORTED')
  const adapter = adapterOf(blockchain.family)
  const txId = adapter?.transactions.normalizeId(txHash) ?? fail('TRANSACTION_INVALID')
  const session = adapter?.vaults ? await sessionOf(ctx, blockchain.id) : null
  if (!session || !adapter?.vaults) return { txId, blockchainId: blockchain.id, sent: null }
  try {
    return { txId, blockchainId: blockchain.id, sent: await adapter.vaults.sent(session, txId) }
  } catch (error) {
    if (!isNodesFault(error)) throw error
    return { txId, blockchainId: blockchain.id, sent: null }
  }
}

/**
 * Records the transaction that the caller's wallet sent for a sweep, as a hint where to look. A transaction that a node knows
 * must be what was handed out; an unknown one is compared once a node knows it. Harmless to repeat.
 * @throws SWEEP_NOT_FOUND, SWEEP_TX_MISMATCH, TRANSACTION_USED, SWEEP_NOT_INITIATED
 */
export async function recordReport(ctx: Context, report: Report, seen: ReportSeen): Promise<SweepRow> {
  return inTransaction(ctx, async (tx) => {
    const { blockchainId, txId, sent } = seen
    await lockMoney(tx, blockchainId)
    const { id } = await named(tx, blockchainId, report)
    const before = (await lockSweep(tx, id)) ?? fail('SWEEP_NOT_FOUND')
    const use = await findUse(tx, blockchainId, txId)
    if (use === before.id) return before
    if (use !== undefined) fail('TRANSACTION_USED')
    const isKnown = sent !== null && sent.state !== 'unknown'
    if (isKnown && !isMatch(blockchainId, before, sent)) fail('SWEEP_TX_MISMATCH')
    const isWaiting = before.status === 'sweep-initiated' || (isKnown && before.status === 'sweep-cancelled')
    const isReplacing = isKnown && before.status === 'broadcast' && before.final_height === null
    if (before.sent_by !== 'own-wallet' || (!isWaiting && !isReplacing)) fail('SWEEP_NOT_INITIATED')
    const row = isKnown ? await recordFound(tx, before, txId) : await noteHint(tx, before, txId)
    if (isKnown) await updateTransaction(tx, row, txId, { from_address: sent.from, sequence: sent.sequence })
    tx.change({ sweepID: Number(id), txHash: before.tx_id }, { sweepID: Number(id), txHash: txId })
    hintSweep(tx, id)
    return (await findSweep(tx, id)) ?? row
  })
}

function isMatch(blockchainId: number, sweep: SweepRow, sent: Exclude<SentSweep, { state: 'unknown' }>): boolean {
  const vaults = adapterOf(findBlockchain(blockchainId)?.family ?? 'ETH_Family')?.vaults
  return vaults !== undefined && isOfSweep(vaults, sweep, sent)
}

async function noteHint(tx: Context, before: SweepRow, txId: string): Promise<SweepRow> {
  await insertTransaction(tx, before, txId)
  await updateSweep(tx, before.id, { tx_id: txId })
  return before
}
