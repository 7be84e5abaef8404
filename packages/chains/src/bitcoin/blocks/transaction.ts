import type { ChainSession, TxFacts } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { readTransaction } from '../encoding/wire.ts'
import { readBlockRef } from '../network/heads.ts'
import { protocolOf } from '../network/recognize.ts'
import { fullReadScope, transfersIn } from './transfers.ts'

/**
 * Returns what became of one transaction; see `ChainReader.transaction`. A node without a transaction index knows only waiting
 * ones; no node knows a transaction that was replaced or evicted.
 */
export async function readTransactionFacts(session: ChainSession, txId: string): Promise<TxFacts> {
  const protocol = await protocolOf(session)
  const found = await protocol.find(session, txId)
  if (found === null) return { state: 'unknown' }
  const tx = readTransaction(found.bytes)
  if (tx.txId !== txId) {
    throw new RetryableRpcError('inconsistent', `The node answers for another transaction than ${txId}`)
  }
  if (found.blockHash === null) return { state: 'pending' }
  const block = await readBlockRef(session, found.blockHash)
  return { state: 'included', block, transfers: transfersIn(fullReadScope(session.chain), block, tx) }
}
