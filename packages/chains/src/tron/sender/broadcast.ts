import type { BroadcastRefusal, ChainSession, SignedTx } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { toHex } from '../encoding/hex.ts'
import { object, requireAnswer } from '../encoding/wire.ts'
import { ask, walletCall } from '../network/calls.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import { textOf } from '../state/constant-calls.ts'

/** Codes of `broadcasthex` that concern the node and not the transaction. */
const BUSY = new Set([
  'SERVER_BUSY',
  'NO_CONNECTION',
  'NOT_ENOUGH_EFFECTIVE_CONNECTION',
  'BLOCK_UNSOLIDIFIED',
  'OTHER_ERROR',
])

const SHORT = /balance is not sufficient|insufficient/i

/** Broadcasts the bytes (`broadcasthex`); see `ChainSender.broadcast`. */
export async function broadcast(session: ChainSession, tx: SignedTx): Promise<'accepted' | 'known' | BroadcastRefusal> {
  await requireOwnNetwork(session)
  const answer = object(await ask(session, walletCall('broadcasthex', { transaction: toHex(tx.raw) })), 'result')
  requireAnswer(answer)
  if (answer['result'] === true) {
    if (answer['txid'] === tx.txId) return 'accepted'
    throw new RetryableRpcError('inconsistent', `${session.node.label} took another transaction than ${tx.txId}`)
  }
  const { code } = answer
  const reason = textOf(answer['message'])
  if (code === 'DUP_TRANSACTION_ERROR') return 'known'
  if (typeof code !== 'string' || BUSY.has(code)) throw new RetryableRpcError('internal', reason)
  if (code === 'TRANSACTION_EXPIRATION_ERROR') return { code: 'expired', reason: `${code}: ${reason}` }
  const isShort = code === 'BANDWITH_ERROR' || (code === 'CONTRACT_VALIDATE_ERROR' && SHORT.test(reason))
  return { code: isShort ? 'short_of_coin' : 'other', reason: `${code}: ${reason}` }
}
