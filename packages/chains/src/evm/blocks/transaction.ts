import type { BlockRef, ChainSession, InternalTransfers, TxFacts } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callAll } from '../../node/client.ts'
import { featuresOf, TRACER } from '../network/features.ts'
import { unlistedTransfers } from './unlisted-token.ts'
import { toQuantity } from '../encoding/hex.ts'
import { tracesOf } from './old-traces.ts'
import { internalTransfers } from './traces.ts'
import { fullSight, transfersIn } from './transfers.ts'
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

/** Tells what became of one transaction (`eth_getTransactionByHash`, `eth_getTransactionReceipt`); see `ChainReader.transaction`. */
export async function readTransactionFacts(ctx: ChainSession, txId: string): Promise<TxFacts> {
  return (await readWithReceipt(ctx, txId)).facts
}

type ReadTransaction = {
  readonly facts: TxFacts
  readonly receipt: WireReceipt | null
  /** Whether the calls inside it could be read. */
  readonly internalTransfers: InternalTransfers
}

/** The same, with the receipt it was read from, if there is one. */
export async function readWithReceipt(ctx: ChainSession, txId: string): Promise<ReadTransaction> {
  const [txAnswer, receiptAnswer] = await callAll(
    ctx.node,
    ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map((method) => ({ method, params: [txId] })),
    ctx.signal,
  )
  if (txAnswer === null) return unmined('unknown')
  const tx = readTransaction(txAnswer)
  const receipt = readReceipt(receiptAnswer) ?? (await lateReceipt(ctx, txAnswer, tx))
  if (receipt === 'pending' || receipt === 'dropped') return unmined(receipt)
  requireAsked(txId, [tx.hash, receipt.txHash])
  return readMined(ctx, tx, receipt)
}

function unmined(state: 'unknown' | 'pending' | 'dropped'): ReadTransaction {
  return { facts: { state }, receipt: null, internalTransfers: 'complete' }
}

async function readMined(ctx: ChainSession, tx: WireTransaction, receipt: WireReceipt): Promise<ReadTransaction> {
  const block = await canonicalBlock(ctx, receipt.height, receipt.blockHash)
  if (!receipt.isSuccess) return { facts: { state: 'failed', block }, receipt, internalTransfers: 'complete' }
  const sight = fullSight(ctx.chain)
  const trace = sight.systemLog === null ? await traceOf(ctx, block, tx.hash) : NO_CALLS
  const internal = typeof trace === 'string' ? [] : internalTransfers(sight, block, tx.hash, trace)
  const transfers = [...transfersIn(sight, block, tx, receipt, 'receipt'), ...internal]
  return {
    facts: { state: 'included', block, transfers, unlisted: unlistedTransfers(ctx.chain, receipt) },
    receipt,
    internalTransfers: typeof trace === 'string' ? trace : 'complete',
  }
}

/**
 * A transaction without a receipt waits, unless its sender's nonce went past it: then it was mined a moment ago, or its
 * place was taken.
 */
async function lateReceipt(
  ctx: ChainSession,
  answer: unknown,
  { hash, from }: WireTransaction,
): Promise<WireReceipt | 'pending' | 'dropped'> {
  const next = { method: 'eth_getTransactionCount', params: [from, 'latest'] }
  const used = quantity(await ctx.node.call(next, ctx.signal), 'nonce')
  if (used <= quantity(object(answer, 'transaction')['nonce'], 'nonce')) return 'pending'
  const again = { method: 'eth_getTransactionReceipt', params: [hash] }
  return readReceipt(await ctx.node.call(again, ctx.signal)) ?? 'dropped'
}

function requireAsked(txId: string, hashes: readonly string[]): void {
  if (hashes.every((hash) => hash === txId.toLowerCase())) return
  throw new RetryableRpcError('inconsistent', `The node answers for another transaction than ${txId}`)
}

async function canonicalBlock(ctx: ChainSession, height: number, hash: string): Promise<BlockRef> {
  const call = { method: 'eth_getBlockByNumber', params: [toQuantity(height), false] }
  const block = readBlockRef(await ctx.node.call(call, ctx.signal))
  if (block?.hash === hash) return block
  throw new RetryableRpcError('inconsistent', `The receipt names block ${hash}, which is not on the node's chain`)
}

/** A trace in which nothing is called. */
const NO_CALLS: Json = {}

/** The trace of a transaction, or why the node has none. */
async function traceOf(ctx: ChainSession, block: BlockRef, hash: string): Promise<Json | 'pruned' | 'unsupported'> {
  if (!(await featuresOf(ctx)).has('traces')) return 'unsupported'
  const call = { method: 'debug_traceTransaction', params: [hash, TRACER] }
  const [trace] = await tracesOf(ctx, [{ block, call }])
  return trace === null || trace === undefined ? 'pruned' : object(trace, 'trace')
}
