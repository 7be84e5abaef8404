import type { ChainSession } from '@kassa/chains/adapter.ts'
import type { RpcClient } from '@kassa/chains/node/client.ts'

import { markFailed, isUsable, openChain, openAnother } from '../../blockchains/nodes/service.ts'
import type { Follower } from './follower.ts'

/** A node that operators added, removed or preferred is noticed after this long. */
const REOPEN_MS = 30_000

export type Connection = {
  /** The node to read with. @throws when there is none */
  readonly open: () => Promise<ChainSession>
  /** The node failed: choose again. */
  readonly fail: () => void
  /** The node is on another branch than what is final: never choose it again. */
  readonly refuse: (nodeId: number) => void
}

/** Keeps one node between turns; after a failure, and now and then, chooses again. `onAnswer` hears of every answer. */
export function keepOpen({ ctx, row }: Follower, signal: AbortSignal, onAnswer: () => void): Connection {
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
      // The same node stays the same value: what is known of it hangs on that.
      opened =
        opened?.node === chain.node
          ? { ...opened, at: now }
          : { node: chain.node, chain: { ...chain, node: heard(chain.node, onAnswer) }, at: now }
      return opened.chain
    },
    fail: () => {
      if (opened) markFailed(opened.node)
      opened = undefined
    },
    refuse: (nodeId) => void refused.add(nodeId),
  }
}

function heard(node: RpcClient, onAnswer: () => void): RpcClient {
  const tell = <T>(answer: T): T => {
    onAnswer()
    return answer
  }
  return {
    ...node,
    call: (call, signal) => node.call(call, signal).then(tell),
    batch: (calls, signal) => node.batch(calls, signal).then(tell),
  }
}
