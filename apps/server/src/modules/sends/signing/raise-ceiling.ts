import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm } from '../../alarms/service.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { Overdrawn, post } from '../../ledger/service.ts'
import { raiseEntry } from '../record/postings.ts'
import { updateCeiling } from '../record/store.ts'
import { subjectOf } from '../record/wallet-locks.ts'

/**
 * Raises the fee ceiling of an undecided send and reserves what that adds; the sender raises the fee itself later. `short` when
 * the float does not hold that much.
 */
export async function raiseCeiling(
  ctx: Context,
  { sendId, maxFee }: { readonly sendId: bigint; readonly maxFee: bigint },
): Promise<'raised' | 'unchanged' | 'short'> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const raised = await updateCeiling(tx, sendId, maxFee)
      if (!raised) return 'unchanged'
      const { send, added } = raised
      await post(tx, [raiseEntry(send, added)])
      const code = findBlockchain(send.blockchainId)?.code ?? ''
      await clearAlarm(tx, { kind: 'send_stuck', subject: subjectOf(send.walletId, code) })
      tx.events.announce(tx, { name: 'send.due', projectId: null, data: { blockchainId: send.blockchainId } })
      return 'raised'
    })
  } catch (error) {
    if (error instanceof Overdrawn) return 'short'
    throw error
  }
}
