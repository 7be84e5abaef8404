/**
 * Sends: every transaction that a hot wallet signs, whatever it is for. Amount and fee ceiling are reserved and the bytes stored
 * with the business row before anything leaves; what the chain made of them comes back as the event `send.moved`.
 */
import { RetryableRpcError } from '@kassa/chains/errors.ts'

import { type Context, inTransaction } from '../../context.ts'
import { openSession } from '../blockchains/nodes/service.ts'
import { lockSigner } from './record/store.ts'
import { unlockWallet } from './record/wallet-locks.ts'
import { findSigner } from './signing/hot-key.ts'
import { sequencesOf } from './signing/sequences.ts'

export type { SendItem } from './record/send.ts'
export { readSendMoved, type SendMoved } from './record/send-moved.ts'
export { countSent, reopenSends } from './following/service.ts'
export { raiseCeiling } from './signing/raise-ceiling.ts'
export { startSend, type StartedSend, type StartResult, type StartSend, type SendWait } from './signing/start-send.ts'

/**
 * Lets a locked wallet sign again on a blockchain, once a person has looked at what else was sent with its key: from the
 * sequence on that the chain is at now. False when it was not locked.
 * @throws RetryableRpcError when no node says where the chain is
 */
export async function letSendAgain(
  ctx: Context,
  wallet: { readonly walletId: number; readonly blockchainId: number },
): Promise<boolean> {
  const signer = await findSigner(ctx, wallet)
  if (typeof signer === 'string') return false
  const session = await openSession(ctx, wallet.blockchainId)
  const chain = session && (await sequencesOf(signer, session))
  if (!chain) throw new RetryableRpcError('unreachable', `No node of ${signer.row.code} says where the chain is.`)
  return inTransaction(ctx, async (tx) => {
    await lockSigner(tx, wallet.walletId)
    return unlockWallet(tx, { ...wallet, firstSequence: chain.mined })
  })
}
