import type { ChainSession } from '@kassa/chains/adapter.ts'
import type { RpcClient } from '@kassa/chains/node/client.ts'

import { markFailed, isUsable, openChain, openAnother } from '../../blockchains/nodes/service.ts'
import type { Follower } from './follower.ts'

/** After this long the node is chosen again, so that a node that operators added, removed or preferred is noticed. */
const REOPEN_MS = 30_000

export type NodeConnection = {
  /** The node to read with. @throws when there is none */
  readonly open: () => Promise<ChainSession>
  /** Marks the node as failed: choose again. */
  readonly fail: () => void
  /** Excludes a node that is on another branch than what is final. */
  readonly refuse: (nodeId: number) => void
}

/**
 * Stays with one node between polls; chooses again after a failure, and now and then. Calls `onAnswer` for every
 * answer.
 */
export function openConnection({ ctx, row }: Follower, signal: AbortSignal, onAnswer: () => void): NodeConnection {
  const refused = new Set<number>()
  let opened: { node: RpcClient; chain: ChainSession; at: number } | undefined
  const choose = async () => {
    const first = await openChain(ctx, row.id, signal)
    if (!first || !refused.has(first.node.id)) return first
    const other = await openAnother(ctx, row.id, first.node.id, signal)
    return other && refused.has(other.node.id) ? null : other
  }
  return {
    open: async () => {
      const now = ctx.now().getTime()
      if (opened && isUsable(opened.node) && Math.abs(now - opened.at) < REOPEN_MS) return opened.chain
      const chain = await choose()
      if (!chain) throw new Error(refused.size > 0 ? 'Every node is on another branch.' : 'Add a node.')
      // The same node keeps its chain session, because caches are keyed by that object.
      opened =
        opened?.node === chain.node
          ? { ...opened, at: now }
          : { node: chain.node, chain: { ...chain, node: reportingAnswers(chain.node, onAnswer) }, at: now }
      return opened.chain
    },
    fail: () => {
      if (opened) markFailed(opened.node)
      opened = undefined
    },
    refuse: (nodeId) => void refused.add(nodeId),
  }
}

function reportingAnswers(node: RpcClient, onAnswer: () => void): RpcClient {
  const report = <T>(answer: T): T => {
    onAnswer()
    return answer
  }
  return {
    ...node,
    call: (call, signal) => node.call(call, signal).then(report),
    batch: (calls, signal) => node.batch(calls, signal).then(report),
  }
}
