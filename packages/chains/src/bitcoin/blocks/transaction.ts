import type { ChainSession, TxFacts } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { bytesOf, hashText, integer, object, readTransaction } from '../encoding/wire.ts'
import { askFor } from '../network/calls.ts'
import { readBlockRef } from '../network/heads.ts'
import { fullSight, transfersIn } from './transfers.ts'

/**
 * Tells what became of one transaction; see `ChainReader.transaction`. A node without an index of transactions knows only
 * those that wait; one that was replaced or evicted is unknown to every node.
 */
export async function readTransactionFacts(session: ChainSession, txId: string): Promise<TxFacts> {
  const answer = await askFor(session, 'getrawtransaction', txId, true)
  if (answer === null) return { state: 'unknown' }
  const raw = object(answer, 'transaction')
  const tx = readTransaction(bytesOf(raw['hex'], 'hex'))
  if (tx.txId !== txId) {
    throw new RetryableRpcError('inconsistent', `The node answers for another transaction than ${txId}`)
  }
  // A block that the chain left has -1 confirmations, as nodes count.
  const isMined = raw['blockhash'] !== undefined && integer(raw['confirmations'] ?? 0, 'confirmations') > 0
  if (!isMined) return { state: 'pending' }
  const block = await readBlockRef(session, hashText(raw['blockhash'], 'blockhash'))
  return { state: 'included', block, transfers: transfersIn(fullSight(session.chain), block, tx) }
}
