import type { BlockRef, Chain, ChainSession, Heads, Identity } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callAll, callEach, callNode, jsonCall } from '../../node/client.ts'
import { ALL_FEATURES, featuresOf } from './features.ts'
import { quantity, readBlockRef } from '../encoding/wire.ts'

const head = (tag: string) => jsonCall('eth_getBlockByNumber', tag, false)
const CHAIN_ID = jsonCall('eth_chainId')

/** Identifies a node: chain id, genesis hash, program and optional features. */
export async function identify(session: ChainSession): Promise<Identity> {
  const client = jsonCall('web3_clientVersion')
  const [chainIdAnswer, clientAnswer, genesisAnswer] = await callAll(session, [CHAIN_ID, client, head('0x0')])
  const chainId = Number(quantity(chainIdAnswer, 'chain id'))
  const genesisHash = readBlockRef(genesisAnswer)?.hash ?? ''
  const { network } = session.chain
  const hasGenesis = network.genesisHash === undefined || network.genesisHash === genesisHash
  return {
    chainIdentifier: `${chainId}:${genesisHash}`,
    client: typeof clientAnswer === 'string' ? clientAnswer : '',
    completeness: (await featuresOf(session)).size / ALL_FEATURES,
    isExpected: chainId === network.chainId && hasGenesis,
  }
}

/**
 * Reads the newest, safe and finalized blocks in one request, together with the chain id, so that a node that changed its
 * network is noticed. On the sandbox the tags are left out, because a local chain's `finalized` is only depth under another
 * name.
 * @throws NodeRejected when the node serves another network
 */
export async function readHeads(session: ChainSession): Promise<Heads> {
  const tags = session.chain.mode === 'sandbox' ? [] : ['safe', 'finalized']
  const calls = [CHAIN_ID, head('latest'), ...tags.map(head)]
  const [chainId, latest, safe, finalized] = await callEach(session, calls)
  requireNetwork(session.chain, Number(quantity(settled(chainId), 'chain id')))
  const newest = readBlockRef(settled(latest))
  if (!newest) throw new RetryableRpcError('malformed', 'The node has no newest block')
  const safeRef = optional(safe)
  const finalizedRef = optional(finalized)
  for (const ref of [safeRef, finalizedRef]) requireBelow(newest, ref)
  return { latest: newest, ...(safeRef && { safe: safeRef }), ...(finalizedRef && { finalized: finalizedRef }) }
}

/** Asks a node which chain it serves. @throws NodeRejected when it is not the session's */
export async function requireOwnNetwork(session: ChainSession): Promise<void> {
  requireNetwork(session.chain, Number(quantity(await callNode(session, CHAIN_ID), 'chain id')))
}

function requireNetwork({ network }: Chain, chainId: number): void {
  if (chainId !== network.chainId) {
    throw new NodeRejected(`The node serves chain ${chainId}, not ${network.name} (${network.chainId})`)
  }
}

/** A node that calls blocks final which it does not have would let us finalize what may still be reverted. */
function requireBelow(newest: BlockRef, ref: BlockRef | null): void {
  if (ref === null || ref.height < newest.height || ref.hash === newest.hash) return
  throw new RetryableRpcError(
    'inconsistent',
    `The node calls block ${ref.height} final above its head ${newest.height}`,
  )
}

function settled(outcome: PromiseSettledResult<unknown> | undefined): unknown {
  if (outcome?.status === 'fulfilled') return outcome.value
  throw outcome?.reason
}

/** A node without a tag refuses it; a node that has just failed must not look like one without finality. */
function optional(outcome: PromiseSettledResult<unknown> | undefined): BlockRef | null {
  if (outcome === undefined || (outcome.status === 'rejected' && outcome.reason instanceof NodeRejected)) return null
  return readBlockRef(settled(outcome))
}
