import type { BlockRef, ChainSession } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callAll, callEach, jsonCall, type NodeCall, type NodeClient } from '../../node/client.ts'
import { readBlockRef } from '../encoding/wire.ts'

/** Asks a node for the calls inside every transaction of a block. */
export const TRACER = { tracer: 'callTracer' } as const

/** `block-receipts`: all receipts of a block in one call. `traces`: internal transfers. `finality`: safe and finalized tags. */
type NodeFeature = 'block-receipts' | 'traces' | 'finality'

/** How many of them a node with everything has. */
export const ALL_FEATURES = 3

/** Probed once per node; a node that gains a feature must be connected again. */
const known = new WeakMap<NodeClient, ReadonlySet<NodeFeature>>()

/** Finds which optional methods the node has, by trying them on its newest block. */
export async function featuresOf(session: ChainSession): Promise<ReadonlySet<NodeFeature>> {
  const remembered = known.get(session.node)
  if (remembered) return remembered
  const newest = jsonCall('eth_getBlockByNumber', 'latest', false)
  const block = readBlockRef((await callAll(session, [newest]))[0])
  const probes: Record<NodeFeature, NodeCall> = {
    'block-receipts': jsonCall('eth_getBlockReceipts', block?.hash),
    traces: jsonCall('debug_traceBlockByHash', block?.hash, TRACER),
    finality: jsonCall('eth_getBlockByNumber', 'finalized', false),
  }
  const names = Object.keys(probes) as NodeFeature[]
  const outcomes = await callEach(session, Object.values(probes))
  const features = new Set(names.filter((name, at) => isThere(name, outcomes[at], block)))
  // Block 0 cannot be traced, which proves nothing about the next one.
  if (block && block.height > 0) known.set(session.node, features)
  return features
}

/** Whether the node traces the calls inside transactions; see `TraceReader`. */
export async function isTracing(session: ChainSession): Promise<boolean> {
  return (await featuresOf(session)).has('traces')
}

/**
 * A refusal means that the method is missing. After a failure of the node nothing is known, so the probe fails too. So does a
 * node that does not know its own newest block: without traces we would miss money unnoticed.
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
