import { assetsIn } from '@kassa/primitives/chains/assets.ts'
import type { Blockchain, NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import type { Chain } from './adapter.ts'

/** Describes a blockchain as it is in one network mode, with its assets there. */
export function chainIn(mode: NetworkMode, blockchain: Blockchain): Chain {
  return {
    blockchain,
    mode,
    network: blockchain.networks[mode],
    assets: assetsIn(mode).filter((asset) => asset.blockchain === blockchain.code),
  }
}
