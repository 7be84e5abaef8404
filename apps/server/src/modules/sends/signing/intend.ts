import type { Context } from '../../../context.ts'
import { intendMovement } from '../../movements/service.ts'
import type { Send, SendItem } from '../record/send.ts'

/** Stores what a transaction is for before it leaves, so that the watcher knows its transfers as ours (money.md W-13). */
export async function intendAttempt(tx: Context, send: Send, txId: string, item: SendItem): Promise<void> {
  const { purpose, blockchainId, id: sendId } = send
  // A transaction that creates a contract moves no money.
  if (purpose === 'deploy') return
  const sweepId = 'sweepId' in item ? item.sweepId : null
  await intendMovement(tx, { blockchainId, txId, kind: purpose, sendId, sweepId })
}
