import type { BlockRef, ChainSession, InternalTransfers, TxFacts } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callNode, callAll, jsonCall } from '../../node/client.ts'
import { featuresOf, TRACER } from '../network/features.ts'
import { unlistedMoves } from './unlisted-token.ts'
import { toQuantity } from '../encoding/hex.ts'
import { tracesOf } from './old-traces.ts'
import { internalTransfers } from './traces.ts'
import { fullReadScope, transfersIn } from './transfers.ts'
import {
  type Json,
  object,
  quantity,
  readBlockRef,
  readReceipt,
  readTransaction,
  type WireReceipt,
  type WireTransaction,
} from '../encoding/wire.ts'

/**
 * Returns what became of one transaction (`eth_getTransactionByHash`, `eth_getTransactionReceipt`); see
 * `ChainReader.transaction`.
 */
export async function readTransactionFacts(session: ChainSession, txId: string): Promise<TxFacts> {
  return (await readWithReceipt(session, txId)).facts
}

type ReadTransaction = {
  readonly facts: TxFacts
  readonly receipt: WireReceipt | null
  /** Whether the calls inside it could be read. */
  readonly internalTransfers: InternalTransfers
}

/** The same, with the receipt it was read from, if there is one. */
export async function readWithReceipt(session: ChainSession, txId: string): Promise<ReadTransaction> {
  const [txAnswer, receiptAnswer] = await callAll(
    session,
    ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map((method) => jsonCall(method, txId)),
  )
  if (txAnswer === null) return unmined('unknown')
  const tx = readTransaction(txAnswer)
  const receipt = readReceipt(receiptAnswer) ?? (await lateReceipt(session, txAnswer, tx))
  if (receipt === 'pending' || receipt === 'replaced') return unmined(receipt)
  requireAsked(txId, [tx.hash, receipt.txHash])
  return readMined(session, tx, receipt)
}

function unmined(state: 'unknown' | 'pending' | 'replaced'): ReadTransaction {
  return { facts: { state }, receipt: null, internalTransfers: 'complete' }
}

async function readMined(session: ChainSession, tx: WireTransaction, receipt: WireReceipt): Promise<ReadTransaction> {
  const block = await canonicalBlock(session, receipt.height, receipt.blockHash)
  if (!receipt.isSuccess) return { facts: { state: 'failed', block }, receipt, internalTransfers: 'complete' }
  const scope = fullReadScope(session.chain)
  const trace = scope.systemLog === null ? await traceOf(session, block, tx.hash) : NO_CALLS
  const internal = typeof trace === 'string' ? [] : internalTransfers(scope, block, tx.hash, trace)
  const transfers = [...transfersIn(scope, block, tx, receipt, 'receipt'), ...internal]
  return {
    facts: { state: 'included', block, transfers, unlisted: unlistedMoves(session.chain, receipt) },
    receipt,
    internalTransfers: typeof trace === 'string' ? trace : 'complete',
  }
}

/**
 * A transaction without a receipt waits, unless its sender's nonce is already higher: then it was mined a moment ago, or
 * another transaction has its nonce.
 */
async function lateReceipt(
  session: ChainSession,
  answer: unknown,
  { hash, from }: WireTransaction,
): Promise<WireReceipt | 'pending' | 'replaced'> {
  const next = jsonCall('eth_getTransactionCount', from, 'latest')
  const used = quantity(await callNode(session, next), 'nonce')
  if (used <= quantity(object(answer, 'transaction')['nonce'], 'nonce')) return 'pending'
  const again = jsonCall('eth_getTransactionReceipt', hash)
  return readReceipt(await callNode(session, again)) ?? 'replaced'
}

function requireAsked(txId: string, hashes: readonly string[]): void {
  if (hashes.every((hash) => hash === txId.toLowerCase())) return
  throw new RetryableRpcError('inconsistent', `The node answers for another transaction than ${txId}`)
}

async function canonicalBlock(session: ChainSession, height: number, hash: string): Promise<BlockRef> {
  const call = jsonCall('eth_getBlockByNumber', toQuantity(height), false)
  const block = readBlockRef(await callNode(session, call))
  if (block?.hash === hash) return block
  throw new RetryableRpcError('inconsistent', `The receipt names block ${hash}, which is not on the node's chain`)
}

/** A trace in which nothing is called. */
const NO_CALLS: Json = {}

/** The trace of a transaction, or why the node has none. */
async function traceOf(session: ChainSession, block: BlockRef, hash: string): Promise<Json | 'pruned' | 'unsupported'> {
  if (!(await featuresOf(session)).has('traces')) return 'unsupported'
  const call = jsonCall('debug_traceTransaction', hash, TRACER)
  const [trace] = await tracesOf(session, [{ block, call }])
  return trace === null || trace === undefined ? 'pruned' : object(trace, 'trace')
}
