import type { BlockRef, ChainSession, TxFacts } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callAll } from '../../node/client.ts'
import { featuresOf, TRACER } from '../network/features.ts'
import { unlistedTransfers } from './unlisted-token.ts'
import { toQuantity } from '../encoding/hex.ts'
import { tracesOf } from './old-traces.ts'
import { internalTransfers } from './traces.ts'
import { fullSight, transfersIn } from './transfers.ts'
import {
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

/** The same, with the receipt it was read from, if there is one. */
export async function readWithReceipt(
  ctx: ChainSession,
  txId: string,
): Promise<{ facts: TxFacts; receipt: WireReceipt | null }> {
  const [txAnswer, receiptAnswer] = await callAll(
    ctx.node,
    ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map((method) => ({ method, params: [txId] })),
    ctx.signal,
  )
  if (txAnswer === null) return { facts: { state: 'unknown' }, receipt: null }
  const tx = readTransaction(txAnswer)
  const receipt = readReceipt(receiptAnswer) ?? (await lateReceipt(ctx, txAnswer, tx))
  if (receipt === 'pending' || receipt === 'dropped') return { facts: { state: receipt }, receipt: null }
  requireAsked(txId, [tx.hash, receipt.txHash])
  return { facts: await minedFacts(ctx, tx, receipt), receipt }
}

async function minedFacts(ctx: ChainSession, tx: WireTransaction, receipt: WireReceipt): Promise<TxFacts> {
  const block = await canonicalBlock(ctx, receipt.height, receipt.blockHash)
  if (!receipt.isSuccess) return { state: 'failed', block }
  const sight = fullSight(ctx.chain)
  const isTraced = sight.systemLog === null && (await featuresOf(ctx)).has('traces')
  const internal = isTraced ? internalTransfers(sight, block, tx.hash, await traceOf(ctx, block, tx.hash)) : []
  const transfers = [...transfersIn(sight, block, tx, receipt, 'receipt'), ...internal]
  return { state: 'included', block, transfers, unlisted: unlistedTransfers(ctx.chain, receipt) }
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

/** No calls where the node cannot trace the block any more. */
async function traceOf(ctx: ChainSession, block: BlockRef, hash: string): Promise<NonNullable<unknown>> {
  const call = { method: 'debug_traceTransaction', params: [hash, TRACER] }
  const [trace] = await tracesOf(ctx, [{ block, call }])
  return trace ?? {}
}
