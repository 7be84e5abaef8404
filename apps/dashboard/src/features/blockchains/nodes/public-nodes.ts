import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import type { PublicNode } from '@kassa/primitives/chains/blockchain.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

/** Returns the public nodes of a network that are not among its nodes yet. */
export function publicNodesFor({ code, networkMode, rpcNodes }: Blockchain): readonly PublicNode[] {
  const used = new Set(rpcNodes.map(({ url }) => URL.parse(url)?.host))
  const known = findBlockchain(code)?.networks[networkMode].publicNodes ?? []
  return known.filter(({ url }) => !used.has(new URL(url).host))
}

/** Returns where test coins of a network are given away, and its own name; undefined where there are none. */
export function faucetOf({ code, networkMode }: Blockchain): { name: string; url: string } | undefined {
  const network = findBlockchain(code)?.networks[networkMode]
  return network?.faucet === undefined ? undefined : { name: network.name, url: network.faucet }
}
