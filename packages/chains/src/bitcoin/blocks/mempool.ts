import type { ChainSession, TransferFilter, TxId, WaitingTransaction } from '../../adapter.ts'
import { NodeRejected } from '../../errors.ts'
import { callEach, jsonCall } from '../../node/client.ts'
import { bytesOf, hashText, malformed, readTransaction } from '../encoding/wire.ts'
import { ask } from '../network/calls.ts'
import { movesIn, sightOf } from './transfers.ts'

/** Lists what waits to be mined, as this node knows (`getrawmempool`); see `MempoolReader.list`. */
export async function listWaiting(session: ChainSession): Promise<TxId[]> {
  const answer = await ask(session, 'getrawmempool')
  if (!Array.isArray(answer)) throw malformed('mempool')
  return answer.map((id) => hashText(id, 'id'))
}

/** Reads transactions that wait; see `MempoolReader.read`. */
export async function readWaiting(
  session: ChainSession,
  txIds: readonly TxId[],
  filter: TransferFilter,
): Promise<WaitingTransaction[]> {
  const sight = sightOf(session.chain, filter)
  const answers = await callEach(
    session,
    txIds.map((id) => jsonCall('getrawtransaction', id, false)),
  )
  return answers.flatMap((answer, at): WaitingTransaction[] => {
    if (answer.status === 'rejected') {
      // It was mined or replaced since it was listed.
      if (answer.reason instanceof NodeRejected) return []
      throw answer.reason
    }
    const tx = readTransaction(bytesOf(answer.value, 'transaction'))
    if (tx.txId !== txIds[at]) throw malformed('transaction: it is another one')
    return [{ txId: tx.txId, spends: tx.inputs.map(({ spends }) => spends), transfers: movesIn(sight, tx) }]
  })
}
