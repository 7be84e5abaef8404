import type { Context } from '../../../context.ts'
import { post } from '../../ledger/service.ts'
import { reopenEntry } from '../record/postings.ts'
import { emitSendMoved } from '../record/send-moved.ts'
import { listItems } from '../record/store.ts'
import { lockWallet } from '../record/wallet-locks.ts'
import { listFailedAbove, moveReopened } from './move-store.ts'

/**
 * Undoes what blocks above a height decided about sends, in the transaction that rolls these blocks back: processed sends are
 * `sent` again, and the same bytes are broadcast again. What their ceilings released stays in the float, so that a
 * reorganisation never waits for money that was spent since. A wallet is locked when a send of it had finally failed in these
 * blocks.
 */
export async function reopenSends(
  tx: Context,
  { blockchainId, toHeight }: { readonly blockchainId: number; readonly toHeight: number },
): Promise<void> {
  const reopened = await moveReopened(tx, { blockchainId, toHeight })
  await post(
    tx,
    reopened.map(({ before }) => reopenEntry(before)),
  )
  const items = await listItems(
    tx,
    reopened.map(({ send }) => send.id),
  )
  for (const { send, txId } of reopened) {
    const item = items.get(send.id)
    if (!item) throw new Error(`Send ${send.id} is for nothing`)
    const { id: sendId, purpose } = send
    const state = 'reopened' as const
    await emitSendMoved(tx, { sendId, purpose, item, state, txId, feeUnits: null, block: null, failure: null })
  }
  if (reopened.length > 0) tx.events.announce(tx, { name: 'send.due', projectId: null, data: { blockchainId } })
  for (const { walletId, height } of await listFailedAbove(tx, { blockchainId, toHeight })) {
    await lockWallet(tx, { walletId, blockchainId, code: 'below_final', height })
  }
}
