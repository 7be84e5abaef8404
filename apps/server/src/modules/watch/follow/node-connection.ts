import type { NodeClient } from '@kassa/chains/node/client.ts'

import { isUsable, markFailed, openSession } from '../../blockchains/nodes/service.ts'
import type { Follower } from './follower.ts'

/** The node is chosen again after this long, so that nodes that operators added, removed or preferred take effect. */
const REOPEN_MS = 30_000

export type NodeConnection = {
  /** The node to read with. @throws when there is none */
  readonly open: () => Promise<NodeClient>
  /** Marks the node as failed, so that another one is chosen. */
  readonly fail: () => void
  /** Excludes a node that is on another branch than what is final. */
  readonly refuse: (nodeId: number) => void
}

/** Stays with one node between polls; chooses again after a failure, and from time to time. Calls `onAnswer` for every answer. */
export function openConnection({ ctx, row }: Follower, signal: AbortSignal, onAnswer: () => void): NodeConnection {
  const refused = new Set<number>()
  let opened: { node: NodeClient; reporting: NodeClient; at: number } | undefined
  const choose = async () => {
    const first = await openSession(ctx, row.id, signal)
    if (!first || !refused.has(first.node.id)) return first?.node
    const other = await first.another()
    return other && !refused.has(other.node.id) ? other.node : undefined
  }
  return {
    open: async () => {
      const now = ctx.now().getTime()
      if (opened && isUsable(opened.node) && Math.abs(now - opened.at) < REOPEN_MS) return opened.reporting
      const node = await choose()
      if (!node) throw new Error(refused.size > 0 ? 'Every node is on another branch.' : 'Add a node.')
      // The same node keeps its reporting client, because that object holds what adapters have learnt about the node.
      const reporting = opened?.node === node ? opened.reporting : reportingAnswers(node, onAnswer)
      opened = { node, reporting, at: now }
      return reporting
    },
    fail: () => {
      if (opened) markFailed(opened.node)
      opened = undefined
    },
    refuse: (nodeId) => void refused.add(nodeId),
  }
}

function reportingAnswers(node: NodeClient, onAnswer: () => void): NodeClient {
  const report = <T>(answer: T): T => {
    onAnswer()
    return answer
  }
  return {
    ...node,
    call: (call, options) => node.call(call, options).then(report),
    batch: (calls, options) => node.batch(calls, options).then(report),
  }
}
