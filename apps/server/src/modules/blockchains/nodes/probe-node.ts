import { adapterOf } from '@kassa/chains/adapters.ts'
import { chainIn, sessionAlone } from '@kassa/chains/chain.ts'
import { NodeRejected } from '@kassa/chains/errors.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

import type { Context } from '../../../context.ts'
import { identify, prove } from './connections.ts'
import { hasPassed } from './health-rules.ts'
import { forgetClient, noteHead, noteSilence, type PooledNode } from './pool.ts'
import type { BlockchainRow } from '../chains/rows.ts'

/** A node that needs longer than this to return its newest block is not usable at the head. */
export const PROBE_WITHIN_MS = 5_000

/** How often it is checked again which network a node serves. */
const PROVE_EVERY_MS = 10 * 60_000

/**
 * Reads a node's head, and from time to time its network; both update its health. Returns why it failed as a sentence, or null.
 */
export async function probeNode(
  ctx: Context,
  row: BlockchainRow,
  node: PooledNode,
  { signal, isAlone }: { readonly signal: AbortSignal; readonly isAlone: boolean },
): Promise<string | null> {
  node.probedAt = node.now()
  const timeout = AbortSignal.timeout(PROBE_WITHIN_MS)
  try {
    await askHead(ctx, row, node, { signal: AbortSignal.any([signal, timeout]), isAlone })
    return null
  } catch (error) {
    if (signal.aborted) return 'The probe was cancelled.'
    if (timeout.aborted) noteSilence(node, PROBE_WITHIN_MS)
    const isOther = error instanceof ApiError || (error instanceof NodeRejected && error.code === null)
    if (isOther) {
      forgetClient(node)
      node.refused = error instanceof ApiError ? error.details : `${error.message}.`
    }
    return timeout.aborted ? node.health.lastError : (node.refused ?? (error instanceof Error ? error.message : null))
  }
}

async function askHead(
  ctx: Context,
  row: BlockchainRow,
  node: PooledNode,
  asking: { readonly signal: AbortSignal; readonly isAlone: boolean },
): Promise<void> {
  const reader = adapterOf(row.definition.family)?.reader
  if (!reader) return
  const clients = node.clients ?? (await prove(ctx, row, node, asking))
  if (hasPassed(node.provenAt, PROVE_EVERY_MS, node.now())) {
    await identify(ctx, row, clients.head, asking.signal)
    node.provenAt = node.now()
  }
  const chain = chainIn(ctx.config.network, row.definition)
  const { latest, finalized } = await reader.heads(sessionAlone(chain, clients.head, asking.signal))
  const { reorgLimit } = confirmationsIn(ctx.config.network, row.definition)
  const seen = { height: latest.height, minedAt: latest.minedAt.getTime(), seenAt: node.now() }
  noteHead(node, seen, finalized?.height ?? latest.height - reorgLimit)
}

/** What a node that answers does not show; null when its newest block proves nothing, or it does not say. */
export async function shortcomingOf(
  ctx: Context,
  row: BlockchainRow,
  { clients }: PooledNode,
): Promise<'internal_transfers' | null> {
  const reader = adapterOf(row.definition.family)?.reader
  if (!clients || !reader?.shortcoming) return null
  const chain = chainIn(ctx.config.network, row.definition)
  const signal = AbortSignal.timeout(PROBE_WITHIN_MS)
  return reader.shortcoming(sessionAlone(chain, clients.head, signal)).catch(() => null)
}
