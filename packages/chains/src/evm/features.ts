import type { ChainContext, NodeFeature } from '../adapter.ts'
import { ChainRefused } from '../errors.ts'
import { callAll, type RpcCall, type RpcClient } from '../rpc/client.ts'
import { readBlockRef } from './wire.ts'

/** Asks a node for the calls inside every transaction of a block. */
export const TRACER = { tracer: 'callTracer' } as const

/** Probed once per node: a node that gains a feature is connected anew. */
const known = new WeakMap<RpcClient, ReadonlySet<NodeFeature>>()

/** Tells which optional methods the node has, by trying them on its newest block. */
export async function featuresOf(ctx: ChainContext): Promise<ReadonlySet<NodeFeature>> {
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
  const features = new Set(names.filter((_, at) => isThere(outcomes[at])))
  // Block 0 cannot be traced, which proves nothing about the next one.
  if (block && block.height > 0) known.set(ctx.node, features)
  return features
}

/** A refusal means the method is missing; a failure of the node means that nothing is known, so the probe fails too. */
function isThere(outcome: PromiseSettledResult<unknown> | undefined): boolean {
  if (outcome?.status === 'fulfilled') return outcome.value !== null
  if (outcome?.reason instanceof ChainRefused) return false
  throw outcome?.reason ?? new Error('A probe had no outcome')
}
