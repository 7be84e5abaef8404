import type { ChainSession, TransferFilter, TxId, WaitingTransaction } from '../../adapter.ts'
import { malformed, readTransaction } from '../encoding/wire.ts'
import { protocolOf } from '../network/recognize.ts'
import { movesIn, readScopeOf } from './transfers.ts'

/** Lists the unmined transactions that this node knows; see `MempoolReader.list`. */
export async function listWaiting(session: ChainSession): Promise<TxId[]> {
  return (await protocolOf(session)).waiting(session)
}

/** See `MempoolReader.atOnce`. */
export async function waitingAtOnce(session: ChainSession): Promise<number> {
  return (await protocolOf(session)).waitingAtOnce ?? Infinity
}

/** Reads transactions that wait; see `MempoolReader.read`. */
export async function readWaiting(
  session: ChainSession,
  txIds: readonly TxId[],
  filter: TransferFilter,
): Promise<WaitingTransaction[]> {
  const scope = readScopeOf(session.chain, filter)
  const protocol = await protocolOf(session)
  const answers = await protocol.transactions(session, txIds)
  return answers.flatMap((bytes, at): WaitingTransaction[] => {
    // It was mined or replaced since it was listed.
    if (bytes === null) return []
    const tx = readTransaction(bytes)
    if (tx.txId !== txIds[at]) throw malformed('transaction: it is another one')
    return [{ txId: tx.txId, spends: tx.inputs.map(({ spends }) => spends), transfers: movesIn(scope, tx) }]
  })
}
