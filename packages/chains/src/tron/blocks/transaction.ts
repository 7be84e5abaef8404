import type { BlockRef, ChainSession, TxFacts } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { object, readBlock, readBlockRef, readInfo, readTransaction, requireAnswer } from '../encoding/wire.ts'
import { ask, askAll, walletCall } from '../network/calls.ts'
import { refOf } from './blocks.ts'
import { fullReadScope, transfersIn } from './transfers.ts'
import { unlistedMoves } from './unlisted-token.ts'

/**
 * Returns what became of one transaction (`gettransactionbyid`, `gettransactioninfobyid`); see `ChainReader.transaction`. A
 * known transaction that expired is never mined.
 */
export async function readTransactionFacts(session: ChainSession, txId: string): Promise<TxFacts> {
  const [txAnswer, infoAnswer] = await askAll(session, [
    walletCall('gettransactionbyid', { value: txId }),
    walletCall('gettransactioninfobyid', { value: txId }),
  ])
  const raw = object(txAnswer, 'transaction')
  requireAnswer(raw)
  if (raw['txID'] === undefined) return { state: 'unknown' }
  const tx = readTransaction(raw)
  if (tx.txId !== txId)
    throw new RetryableRpcError('inconsistent', `The node answers for another transaction than ${txId}`)
  const info = readInfo(infoAnswer)
  if (info === null || info.height === null) {
    return { state: tx.raw.expiresAt < (await newestTime(session)) ? 'expired' : 'pending' }
  }
  if (info.txId !== txId)
    throw new RetryableRpcError('inconsistent', `The node tells the outcome of another than ${txId}`)
  const block = await blockWith(session, info.height, txId)
  if (!tx.isSuccess || (tx.raw.message.kind === 'call' && !info.isSuccess)) return { state: 'failed', block }
  return {
    state: 'included',
    block,
    transfers: transfersIn(fullReadScope(session.chain), block, tx, info),
    unlisted: unlistedMoves(session.chain, info),
  }
}

async function newestTime(session: ChainSession): Promise<Date> {
  const block = readBlockRef(await ask(session, walletCall('getnowblock')))
  if (block) return block.minedAt
  throw new RetryableRpcError('malformed', 'The node has no newest block')
}

async function blockWith(session: ChainSession, height: number, txId: string): Promise<BlockRef> {
  const block = readBlock(await ask(session, walletCall('getblockbynum', { num: height })))
  if (block?.height === height && block.transactions.some((one) => one.txId === txId)) return refOf(block)
  throw new RetryableRpcError('inconsistent', `Block ${height} does not hold the transaction that is said to be in it`)
}
