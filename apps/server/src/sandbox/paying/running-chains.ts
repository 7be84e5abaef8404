import { fail } from '@kassa/contract/kit/api-error.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import type { SandboxChains } from '../chains.ts'
import type { SandboxChain } from '../sandbox-chain.ts'

/** The local chains that run in this process. @throws SERVICE_UNAVAILABLE where none do */
export function running(chains: SandboxChains | null): readonly SandboxChain[] {
  const { running: list } =
    chains ?? fail('SERVICE_UNAVAILABLE', { details: 'The local chains run in the process with the role chains.' })
  return list()
}

/** The local chain of a blockchain, by any of its names. @throws BLOCKCHAIN_NOT_FOUND, SERVICE_UNAVAILABLE */
export function chainOf(chains: SandboxChains | null, name: string): SandboxChain {
  const code = findBlockchain(name)?.code
  const chain = running(chains).find((one) => one.code === code)
  return chain ?? fail('BLOCKCHAIN_NOT_FOUND', { details: `${name} has no local chain that runs.` })
}
