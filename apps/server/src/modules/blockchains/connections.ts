import type { ChainContext } from '@kassa/chains/adapter.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import type { RpcClient } from '@kassa/chains/rpc/client.ts'
import { fail } from '@kassa/contract/kit/refusal.ts'

import type { Context } from '../../context.ts'
import { operatorOf } from './node-rules.ts'
import type { BlockchainRow, NodeRow } from './rows.ts'
import { listNodes, updateNodeIdentity } from './store.ts'

/** Nodes that proved to serve their network, by blockchain, id and URL; a process asks each once. */
const trusted = new Map<string, RpcClient>()

/** For calls that nobody means to interrupt. */
const NEVER = new AbortController().signal

/**
 * Opens a blockchain through its first node that answers and serves the right network.
 * Null when it has no active node, or Kassa cannot speak to its family yet.
 * @throws NODE_WRONG_NETWORK, or the failure of the last node that was tried
 */
export async function connectTo(
  ctx: Context,
  row: BlockchainRow,
  signal: AbortSignal = NEVER,
): Promise<ChainContext | null> {
  const nodes = (await listNodes(ctx, row.id)).filter((node) => node.isActive)
  return openFirst(ctx, row, nodes, signal)
}

/** Opens a blockchain through a node of another operator than this node's; null when none can be used now. */
export async function connectToAnother(
  ctx: Context,
  row: BlockchainRow,
  notNodeId: number,
  signal: AbortSignal = NEVER,
): Promise<ChainContext | null> {
  const nodes = await listNodes(ctx, row.id)
  const asked = nodes.find((node) => node.id === notNodeId)
  const others = nodes.filter(
    (node) => node.isActive && node.id !== notNodeId && (!asked || operatorOf(node.url) !== operatorOf(asked.url)),
  )
  return openFirst(ctx, row, others, signal).catch((failure: unknown) => {
    if (signal.aborted) throw failure
    return null
  })
}

async function openFirst(
  ctx: Context,
  row: BlockchainRow,
  nodes: readonly NodeRow[],
  signal: AbortSignal,
): Promise<ChainContext | null> {
  const adapter = adapterOf(row.definition.family)
  if (!adapter || nodes.length === 0) return null
  const chain = chainIn(ctx.config.network, row.definition)
  let failure: unknown
  for (const node of nodes) {
    const known = trusted.get(keyOf(node))
    if (known) return { chain, node: known, signal }
    try {
      ctx.egress.check('node', node.url)
      const opened = { chain, node: ctx.connect({ id: node.id, url: node.url }), signal }
      const identity = await adapter.reader.identify(opened)
      if (!identity.isExpected) refuseNetwork(opened, identity.chainIdentifier)
      await updateNodeIdentity(ctx, { id: node.id, ...identity })
      trusted.set(keyOf(node), opened.node)
      return opened
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** Forgets that a node proved itself: the next opening asks it again, and takes another one when it does not answer. */
export function forgetNode(client: RpcClient): void {
  for (const [key, known] of trusted) if (known === client) trusted.delete(key)
}

function refuseNetwork({ chain, node }: ChainContext, found: string): never {
  fail('NODE_WRONG_NETWORK', {
    values: { found, expected: chain.network.chainId ?? chain.network.name },
    details: `${node.label} serves ${found}. Use a node of ${chain.network.name}.`,
  })
}

function keyOf({ blockchainId, id, url }: NodeRow): string {
  return `${blockchainId} ${id} ${url}`
}
