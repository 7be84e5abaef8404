import type { BlockchainCode, Network } from '../blockchain.ts'

/** Describes the sandbox's local network: its own chain id, so a signature made there is worthless elsewhere, and our own explorer page. */
export function sandboxNetwork(code: BlockchainCode, chainId?: number): Network {
  return {
    name: 'Sandbox',
    ...(chainId === undefined ? {} : { chainId }),
    explorerTransaction: `/sandbox/${code}/tx/{tx}`,
    explorerAddress: `/sandbox/${code}/address/{address}`,
    publicNodes: [],
  }
}
