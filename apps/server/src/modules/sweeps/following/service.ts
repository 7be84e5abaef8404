/** Follows sweeps that have a transaction, whether a hot wallet of the server or an operator's wallet sent it. */
import { textOf } from '@kassa/contract/kit/reason.ts'
import { SEND_FAILURES } from '@kassa/contract/sends/reasons.ts'

import type { Context, StoredEvent } from '../../../context.ts'
import { readSendMoved, type SendMoved } from '../../sends/service.ts'
import { announceSweep } from '../record/announce.ts'
import { failSweep, type SweepRow } from '../record/service.ts'
import { lockSweep, moveSweep, updateSweep } from '../record/store.ts'
import { concludeSweep } from '../settlement/service.ts'
import { raiseFailed } from '../record/alarms.ts'

export { followOwnWallets, isOfSweep } from './own-wallets.ts'
export { findSweepOfAddresses, findUse, listExpiredPlans, updateTransaction } from './store.ts'

/**
 * Subscriber: moves a sweep with the send of its hot wallet, in the same transaction. It does not decide which addresses were
 * emptied: only transfers prove that.
 */
export async function followSend(tx: Context, event: StoredEvent): Promise<void> {
  const moved = readSendMoved(event)
  if (!('sweepId' in moved.item)) return
  const row = await lockSweep(tx, moved.item.sweepId)
  if (!row || row.send_id !== moved.sendId) throw new Error(`Send ${moved.sendId} is not of its sweep`)
  if (moved.state === 'sent') return noteSent(tx, row, moved.txId)
  if (moved.state === 'processed') return noteProcessed(tx, row, moved)
  if (moved.state === 'failed') return noteFailed(tx, row, moved)
  return noteReopened(tx, row, moved.txId)
}

async function noteSent(tx: Context, row: SweepRow, txId: string): Promise<void> {
  const moved = await moveSweep(tx, row.id, 'broadcast', { tx_id: txId, wait_code: null, wait_params: null })
  if (moved) await announceSweep(tx, moved, 'broadcast')
}

async function noteProcessed(tx: Context, row: SweepRow, { txId, feeUnits, block }: SendMoved): Promise<void> {
  if (block === null) throw new Error(`Sweep ${row.id} has no block`)
  await updateSweep(tx, row.id, { tx_id: txId, fee_units: feeUnits, final_height: block.height })
  await concludeSweep(tx, row.id)
}

async function noteFailed(tx: Context, row: SweepRow, { txId, feeUnits, failure }: SendMoved): Promise<void> {
  const reason = failure === null ? 'It failed.' : textOf(SEND_FAILURES, failure)
  const cause = { code: 'TRANSACTION_FAILED', params: { txHash: txId, reason } } as const
  const failed = await failSweep(tx, row, { cause, tx_id: txId, fee_units: feeUnits })
  await raiseFailed(tx, failed)
}

async function noteReopened(tx: Context, row: SweepRow, txId: string): Promise<void> {
  const open = { tx_id: txId, fee_units: null, final_height: null, ended_at: null }
  await updateSweep(tx, row.id, open)
  const moved = await moveSweep(tx, row.id, 'reopen')
  if (moved) await announceSweep(tx, moved, 'broadcast')
}
