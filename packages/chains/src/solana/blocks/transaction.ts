import type { ChainSession, TxFacts } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { list, object, readTransaction, slotOf } from '../encoding/wire.ts'
import { ask, commitmentOf } from '../network/calls.ts'
import { blockAt } from '../network/heads.ts'
import { fullReadScope, transfersIn } from './transfers.ts'

/** Returns what became of one transaction (`getTransaction`, `getSignatureStatuses`); see `ChainReader.transaction`. */
export async function readTransactionFacts(session: ChainSession, txId: string): Promise<TxFacts> {
  const options = { commitment: commitmentOf(session), encoding: 'json', maxSupportedTransactionVersion: 0 }
  const answer = await ask(session, 'getTransaction', txId, options)
  if (answer === null) return { state: (await isSeen(session, txId)) ? 'pending' : 'unknown' }
  const tx = readTransaction(answer)
  if (tx.txId !== txId) {
    throw new RetryableRpcError('inconsistent', `The node answers for another transaction than ${txId}`)
  }
  const block = await blockAt(session, slotOf(object(answer, 'transaction')['slot']))
  if (!tx.isSuccess) return { state: 'failed', block }
  return { state: 'included', block, transfers: transfersIn(fullReadScope(session.chain), block, tx) }
}

/** Whether the node has it in a block that is not read yet. */
async function isSeen(session: ChainSession, txId: string): Promise<boolean> {
  const answer = object(await ask(session, 'getSignatureStatuses', [txId]), 'statuses')
  const [status] = list(answer['value'], 'statuses')
  return status !== null && status !== undefined
}
