/**
 * Sweeps that a device with the wallet's keys signs (api.md S9–S12): batches are handed out, come back signed, and are
 * broadcast. The server has no key that moves these coins.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Cause, textOf } from '@kassa/contract/kit/reason.ts'
import { PSBT_REFUSALS, type SweepCause, SWEEP_WAITS } from '@kassa/contract/sweeps/reasons.ts'
import type { SignedPsbt } from '@kassa/chains/signing/psbts.ts'

import { actorOf, type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import { requirePaired } from '../../devices/service.ts'
import { hintSweep } from '../record/announce.ts'
import { listInputs, listPsbts, updateSigned } from '../record/outputs-store.ts'
import { cancelSweep, holdsItems, initiateSweep, type PsbtRow, type SweepRow } from '../record/service.ts'
import { findSweep, lockSweep, updateSweep } from '../record/store.ts'
import { insertTransaction } from '../settlement/service.ts'
import { assetOf, materialOf } from './batches.ts'
import { endRefused, isEndUsable } from './ends.ts'
import { listBatches } from './store.ts'

export { type BuiltBatch, buildBatch, planBatch } from './batches.ts'
export { followDevices } from './follow.ts'
export { prepareRaise, raiseBatch } from './raise.ts'
export { batchDetail, listOffline } from './views.ts'

type Scope = ProjectScope['projectIds']

/** A batch that may be signed now. */
type Open = { readonly row: SweepRow; readonly psbt: PsbtRow }

/** @throws SWEEP_NOT_FOUND, SWEEP_TX_RECORDED */
async function openBatch(ctx: Context, projectIds: Scope, id: bigint): Promise<Open> {
  const [found] = await listBatches(ctx, { projectIds, id }, { limit: 1, offset: 0 })
  const row = found && (await findSweep(ctx, found.id))
  const [psbt] = row ? await listPsbts(ctx, row.id) : []
  if (!row || !psbt) return fail('SWEEP_NOT_FOUND')
  if (psbt.raw !== null || row.final_height !== null) fail('SWEEP_TX_RECORDED')
  return { row, psbt }
}

/** A batch as it came back, compared with what was handed out. */
export type CheckedBatch = { readonly n: number; readonly signed: Extract<SignedPsbt, { kind: 'signed' }> }

/**
 * Compares what came back with what was handed out. Call it outside of transactions, because hundreds of signatures take a
 * moment.
 * @throws SWEEP_NOT_FOUND, SWEEP_TX_RECORDED, SIGNATURE_INVALID, SWEEP_TX_MISMATCH
 */
export async function checkSignature(
  ctx: Context,
  projectIds: Scope,
  { id, psbt: text }: { readonly id: bigint; readonly psbt: string },
): Promise<CheckedBatch> {
  const { row, psbt } = await openBatch(ctx, projectIds, id)
  const inputs = await listInputs(ctx, row.id)
  const { chain, psbts, plan } = await materialOf(ctx, await assetOf(ctx, row), {
    walletId: row.wallet_id,
    collector: row.collector,
    fee: BigInt(psbt.fee_units),
    outputs: inputs.map((input) => ({ ...input, index: input.derivation_index })),
  })
  const signed = await psbts.check(chain, plan, text)
  if (signed.kind === 'refused') return refuse(signed.why)
  // Builds the plan again: what was handed out must be the same transaction.
  if (signed.txId !== psbt.tx_id) throw new Error(`Sweep ${row.id} does not make the transaction that was handed out`)
  return { n: psbt.n, signed }
}

const MISMATCHES = new Set<string>(['OTHER_INPUTS', 'OTHER_OUTPUT', 'OTHER_FEE', 'OTHER_TERMS'])

function refuse(why: Extract<SignedPsbt, { kind: 'refused' }>['why']): never {
  const cause = (
    'input' in why ? { code: why.code, params: { input: why.input } } : { code: why.code, params: {} }
  ) as Cause<typeof PSBT_REFUSALS>
  const code = MISMATCHES.has(why.code) ? 'SWEEP_TX_MISMATCH' : 'SIGNATURE_INVALID'
  return fail(code, { details: textOf(PSBT_REFUSALS, cause), data: { reason: cause } })
}

/**
 * Accepts a signed batch: from now on its coins are on their way, and its bytes are stored before any node gets them. When
 * several callers sign the same batch, the first one counts.
 * @throws SWEEP_NOT_FOUND, SWEEP_TX_RECORDED, SWEEP_PLAN_EXPIRED also when its cold wallet may receive nothing any more,
 * UNAUTHORIZED when the device was unpaired meanwhile
 */
export async function takeSignature(
  ctx: Context,
  projectIds: Scope,
  { id, checked }: { readonly id: bigint; readonly checked: CheckedBatch },
): Promise<SweepRow> {
  return inTransaction(ctx, async (tx) => {
    if (tx.caller.kind === 'device') await requirePaired(tx, tx.caller.deviceId)
    await lockSweep(tx, id)
    const { row: before, psbt } = await openBatch(tx, projectIds, id)
    const { n, signed } = checked
    if (psbt.n !== n) fail('SWEEP_TX_RECORDED')
    if (before.status === 'planned') await requireMovable(tx, before)
    const isFirst = await updateSigned(tx, psbt, { raw: Buffer.from(signed.raw), signed_by: actorOf(tx.caller) })
    if (!isFirst) fail('SWEEP_TX_RECORDED')
    await insertTransaction(tx, before, signed.txId)
    const changes = { tx_id: signed.txId, expires_at: null, due_at: tx.now() }
    const row = before.status === 'planned' ? await initiateSweep(tx, id, changes) : before
    if (row === before) await updateSweep(tx, id, changes)
    if (!row) return fail('SWEEP_TX_RECORDED')
    tx.change({ sweepID: Number(id), txHash: before.tx_id }, { sweepID: Number(id), txHash: signed.txId })
    hintSweep(tx, id)
    return row
  })
}

/** @throws SWEEP_PLAN_EXPIRED where its coins are gone, or its cold wallet may not receive them any more */
async function requireMovable(tx: Context, row: SweepRow): Promise<void> {
  const refuse = (cause: SweepCause) => fail('SWEEP_PLAN_EXPIRED', { details: textOf(SWEEP_WAITS, cause) })
  if (!(await holdsItems(tx, row))) refuse({ code: 'DEPOSIT_GONE', params: {} })
  if (!(await isEndUsable(tx, row))) refuse(endRefused(row))
}

/**
 * Abandons a batch that is not signed: its coins are free. A signature that comes later is refused; if the wallet has broadcast
 * it itself, the chain still decides.
 * @throws SWEEP_NOT_FOUND, SWEEP_TX_RECORDED
 */
export async function releaseBatch(ctx: Context, projectIds: Scope, id: bigint): Promise<SweepRow> {
  return inTransaction(ctx, async (tx) => {
    await lockSweep(tx, id)
    const { row } = await openBatch(tx, projectIds, id)
    const cancelled = row.status === 'planned' ? await cancelSweep(tx, row, null) : undefined
    if (!cancelled) return fail('SWEEP_TX_RECORDED')
    tx.change({ sweepID: Number(id), status: row.status }, { sweepID: Number(id), status: cancelled.status })
    hintSweep(tx, id)
    return cancelled
  })
}
