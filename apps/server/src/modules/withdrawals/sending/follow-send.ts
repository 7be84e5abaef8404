import { SEND_FAILURES } from '@kassa/contract/sends/reasons.ts'
import { textOf } from '@kassa/contract/kit/reason.ts'

import type { Context, StoredEvent } from '../../../context.ts'
import { post, reverse } from '../../ledger/service.ts'
import { readSendMoved, type SendMoved } from '../../sends/service.ts'
import { announcePayout } from '../record/announce.ts'
import { settleEntry, settleSource } from '../record/postings.ts'
import { isOfRewards, moveReleased, type WithdrawalRow } from '../record/service.ts'
import { lockWithdrawal, moveWithdrawal } from '../record/store.ts'

/**
 * Subscriber: moves a payout with its send, in the same transaction: sent; processed, with the settlement; failed, with the
 * release; or reopened, with the settlement reversed (D-5).
 */
export async function followSend(tx: Context, event: StoredEvent): Promise<void> {
  const moved = readSendMoved(event)
  if (!('withdrawalId' in moved.item)) return
  const row = await lockWithdrawal(tx, moved.item.withdrawalId)
  if (!row || row.send_id !== moved.sendId) throw new Error(`Send ${moved.sendId} is not of its payout`)
  if (moved.state === 'sent') return noteSent(tx, row, moved)
  if (moved.state === 'processed') return noteProcessed(tx, row, moved)
  if (moved.state === 'failed') return noteFailed(tx, row, moved)
  return noteReopened(tx, row, moved)
}

async function noteSent(tx: Context, row: WithdrawalRow, { txId }: SendMoved): Promise<void> {
  const moved = await moveWithdrawal(tx, row.id, 'send', { tx_id: txId, sent_at: tx.now() })
  if (moved) await announcePayout(tx, moved)
}

async function noteProcessed(tx: Context, row: WithdrawalRow, { txId, feeUnits, block }: SendMoved): Promise<void> {
  if (row.wallet_id === null || block === null) throw new Error(`Payout ${row.id} has no wallet or no block`)
  const facts = { tx_id: txId, fee_units: feeUnits, block_number: BigInt(block.height), block_hash: block.hash }
  const ended = { ended_at: tx.now(), sent_at: row.sent_at ?? tx.now() }
  const moved = await moveWithdrawal(tx, row.id, 'process', { ...facts, ...ended })
  if (!moved) throw new Error(`Payout ${row.id} is not on its way`)
  if (!isOfRewards(moved)) await post(tx, [settleEntry(moved, { walletId: row.wallet_id, height: block.height })])
  await announcePayout(tx, moved)
}

async function noteFailed(tx: Context, row: WithdrawalRow, { feeUnits, failure, block }: SendMoved): Promise<void> {
  const reason = failure === null ? 'The transaction failed.' : textOf(SEND_FAILURES, failure)
  const facts = { fee_units: feeUnits, failure_reason: reason, ended_at: tx.now() }
  const at = block && { block_number: BigInt(block.height), block_hash: block.hash }
  const moved = await moveReleased(tx, row, 'fail', { ...facts, ...at })
  if (!moved) throw new Error(`Payout ${row.id} is not on its way`)
}

async function noteReopened(tx: Context, row: WithdrawalRow, { txId }: SendMoved): Promise<void> {
  const open = { tx_id: txId, fee_units: null, block_number: null, block_hash: null, ended_at: null }
  const moved = await moveWithdrawal(tx, row.id, 'reopen', open)
  if (!moved) throw new Error(`Payout ${row.id} is not final`)
  if (!isOfRewards(moved)) await reverse(tx, [settleSource(moved)])
  await announcePayout(tx, moved)
}
