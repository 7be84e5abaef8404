import type { ConnectionTest } from '@kassa/contract/blockchains/schemas.ts'
import { maskUrl } from '@kassa/chains/node/mask.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'

import { asSystem, type Context } from '../../context.ts'
import { healthOf } from './look-after-nodes.ts'
import { meanLatency } from './node-health.ts'
import { pooled, type PooledNode } from './node-pool.ts'
import { listNodes } from './node-store.ts'
import { probeNode } from './probe-node.ts'
import type { BlockchainRow } from './rows.ts'

/** For calls that nobody means to interrupt; each node has 5 s. */
const NEVER = new AbortController().signal

/** Asks every node of a blockchain now, also those that are switched off. */
export async function testConnection(ctx: Context, row: BlockchainRow): Promise<ConnectionTest> {
  const nodes = (await listNodes(ctx, row.id)).map((node) => pooled(ctx, node))
  const tested = await Promise.all(nodes.map((node) => testNode(asSystem(ctx), row, node)))
  return { success: tested.some(({ connected }) => connected), nodes: tested }
}

async function testNode(ctx: Context, row: BlockchainRow, node: PooledNode): Promise<ConnectionTest['nodes'][number]> {
  const error = adapterOf(row.definition.family)
    ? await probeNode(ctx, row, node, { signal: NEVER, isAlone: false })
    : `Kassa cannot speak to ${row.name} yet.`
  const { head, failuresInRow } = node.health
  const stored = (await listNodes(ctx, row.id)).find(({ id }) => id === node.row.id)
  const chainId = error === null ? Number.parseInt(stored?.chainIdentifier ?? '', 10) : Number.NaN
  return {
    id: node.row.id,
    url: maskUrl(node.row.url),
    connected: error === null,
    error,
    chainId: Number.isNaN(chainId) ? null : chainId,
    healthScore: error === null ? healthOf(row, node).score : 0,
    avgLatencyMs: meanLatency(node.health),
    lastBlockSeen: head?.height ?? null,
    lastBlockTimestamp: head ? new Date(head.minedAt) : null,
    consecutiveFails: failuresInRow,
  }
}
