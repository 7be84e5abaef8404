import type { BlockRef, ChainContext, TxFacts } from '../adapter.ts'
import { RetryableRpcError } from '../errors.ts'
import { callAll } from '../rpc/client.ts'
import { featuresOf, TRACER } from './features.ts'
import { toQuantity } from './hex.ts'
import { internalTransfers } from './traces.ts'
import { fullSight, transfersIn } from './transfers.ts'
import { readBlockRef, readReceipt, readTransaction } from './wire.ts'

/** Tells what became of one transaction (`eth_getTransactionByHash`, `eth_getTransactionReceipt`); see `ChainReader.transaction`. */
export async function readTransactionFacts(ctx: ChainContext, txId: string): Promise<TxFacts> {
  const [txAnswer, receiptAnswer] = await callAll(
    ctx.node,
    ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map((method) => ({ method, params: [txId] })),
    ctx.signal,
  )
  if (txAnswer === null) return { state: 'unknown' }
  const receipt = readReceipt(receiptAnswer)
  if (!receipt) return { state: 'pending' }
  const tx = readTransaction(txAnswer)
  const block = await canonicalBlock(ctx, receipt.height, receipt.blockHash)
  if (!receipt.isSuccess) return { state: 'failed', block }
  const sight = fullSight(ctx.chain)
  const internal = (await featuresOf(ctx)).has('traces')
    ? internalTransfers(sight, block, tx.hash, await traceOf(ctx, tx.hash))
    : []
  return { state: 'included', block, transfers: [...transfersIn(sight, block, tx, receipt, 'receipt'), ...internal] }
}

async function canonicalBlock(ctx: ChainContext, height: number, hash: string): Promise<BlockRef> {
  const call = { method: 'eth_getBlockByNumber', params: [toQuantity(height), false] }
  const block = readBlockRef(await ctx.node.call(call, ctx.signal))
  if (block?.hash === hash) return block
  throw new RetryableRpcError('inconsistent', `The receipt names block ${hash}, which is not on the node's chain`)
}

function traceOf(ctx: ChainContext, hash: string): Promise<unknown> {
  return ctx.node.call({ method: 'debug_traceTransaction', params: [hash, TRACER] }, ctx.signal)
}
