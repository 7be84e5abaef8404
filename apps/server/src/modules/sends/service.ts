/**
 * Sends: every transaction that a hot wallet signs, whatever it is for. Before anything is broadcast, one transaction reserves
 * amount and fee ceiling and stores the bytes with the business row; what the chain made of them comes back as the event
 * `send.moved`.
 */
import { RetryableRpcError } from '@kassa/chains/errors.ts'

import { type Context, inTransaction } from '../../context.ts'
import { openSession } from '../blockchains/nodes/service.ts'
import { acknowledgeOutsideSpends } from '../movements/service.ts'
import { lockSigner } from './record/store.ts'
import { unlockWallet } from './record/wallet-locks.ts'
import { findSigner } from './signing/hot-key.ts'
import { sequencesOf } from './signing/sequences.ts'

export { isBeyondReturn, isFinalDepth } from './record/rules.ts'
export { readPosition } from './record/position-store.ts'
export type { SendItem } from './record/send.ts'
export { readSendMoved, type SendMoved } from './record/send-moved.ts'
export { countSent, findBranchState, isDecided, openRelay, type Relay, reopenSends } from './following/service.ts'
export { draftForWallet, relayFromWallet } from './outside/wallet-drafts.ts'
export { raiseCeiling } from './signing/raise-ceiling.ts'
export { foreseeSend } from './signing/foresee-send.ts'
export type { SendRefusal, SendWait } from './signing/plan-on-chain.ts'
export { startSend, type StartedSend, type StartResult, type StartSend } from './signing/start-send.ts'

/**
 * Unlocks a wallet on a blockchain, once an operator has looked at what else was sent with its key: it signs again from the
 * sequence that the chain is at now, where its family has sequences. False when it was not locked.
 * @throws RetryableRpcError when no node says where the chain is
 */
export async function unlockHotWallet(
  ctx: Context,
  wallet: { readonly walletId: number; readonly blockchainId: number },
): Promise<boolean> {
  const signer = await findSigner(ctx, wallet)
  if (typeof signer === 'string') return false
  const session = await openSession(ctx, wallet.blockchainId)
  if (!session) throw new RetryableRpcError('unreachable', `No node of ${signer.row.code} can be used.`)
  const chain = await sequencesOf(signer, session)
  return inTransaction(ctx, async (tx) => {
    await lockSigner(tx, wallet.walletId)
    const wasSpent = await acknowledgeOutsideSpends(tx, wallet)
    const wasLocked = await unlockWallet(tx, { ...wallet, firstSequence: chain?.agreed.mined ?? 0n })
    return wasSpent || wasLocked
  })
}
