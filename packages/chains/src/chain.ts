import { assetsIn } from '@kassa/primitives/chains/assets.ts'
import type { Blockchain, NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import type { Chain, TransferFilter, ChainSession } from './adapter.ts'
import type { NodeClient } from './node/client.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

/** Describes a blockchain as it is in one network mode, with its assets there. */
export function chainIn(mode: NetworkMode, blockchain: Blockchain): Chain {
  return {
    blockchain,
    mode,
    network: blockchain.networks[mode],
    assets: assetsIn(mode).filter((asset) => asset.blockchain === blockchain.code),
  }
}

/** Reads only the blocks themselves and no transfers. */
export const BLOCKS_ONLY: TransferFilter = { assets: new Set(), matches: () => false }

/** A session with one node and no other to open. */
export function sessionAlone(
  chain: Chain,
  node: NodeClient,
  signal: AbortSignal = new AbortController().signal,
): ChainSession {
  return { chain, node, signal, another: async () => null }
}

/** The deepest reorganisation of a blockchain that is followed without an operator's decision. */
export function reorgLimitOf({ chain }: Pick<ChainSession, 'chain'>): number {
  return confirmationsIn(chain.mode, chain.blockchain).reorgLimit
}
