import type { BlockRef, ChainSession, NodeFeature } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callAll, type RpcCall, type RpcClient } from '../../node/client.ts'
import { readBlockRef } from '../encoding/wire.ts'

/** Asks a node for the calls inside every transaction of a block. */
export const TRACER = { tracer: 'callTracer' } as const

/** Probed once per node: a node that gains a feature is connected anew. */
const known = new WeakMap<RpcClient, ReadonlySet<NodeFeature>>()

/** Tells which optional methods the node has, by trying them on its newest block. */
export async function featuresOf(ctx: ChainSession): Promise<ReadonlySet<NodeFeature>> {
  const remembered = known.get(ctx.node)
  if (remembered) return remembered
  const newest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  const block = readBlockRef((await callAll(ctx.node, [newest], ctx.signal))[0])
  const probes: Record<NodeFeature, RpcCall> = {
    'block-receipts': { method: 'eth_getBlockReceipts', params: [block?.hash] },
    traces: { method: 'debug_traceBlockByHash', params: [block?.hash, TRACER] },
    finality: { method: 'eth_getBlockByNumber', params: ['finalized', false] },
  }
  const names = Object.keys(probes) as NodeFeature[]
  const outcomes = await ctx.node.batch(Object.values(probes), ctx.signal)
  const features = new Set(names.filter((name, at) => isThere(name, outcomes[at], block)))
  // Block 0 cannot be traced, which proves nothing about the next one.
  if (block && block.height > 0) known.set(ctx.node, features)
  return features
}

/**
 * A refusal means the method is missing; a failure of the node means that nothing is known, so the probe fails too. So does
 * a node that does not know its own newest block: without traces we would miss money without ever noticing.
 */
function isThere(
  name: NodeFeature,
  outcome: PromiseSettledResult<unknown> | undefined,
  block: BlockRef | null,
): boolean {
  if (outcome?.status === 'rejected' && outcome.reason instanceof NodeRejected) return false
  if (outcome?.status !== 'fulfilled') throw outcome?.reason ?? new Error('A probe had no outcome')
  if (outcome.value !== null) return true
  if (name === 'finality' || !block || block.height === 0) return false
  throw new RetryableRpcError('inconsistent', `The node does not know its newest block ${block.hash}`)
}
