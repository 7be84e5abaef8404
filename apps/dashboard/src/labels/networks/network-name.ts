import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

/** Returns a network's name as people say it, "Ethereum" for ETH; an unknown code stays what it is. */
export function networkName(code: string): string {
  return findBlockchain(code)?.name ?? code
}
