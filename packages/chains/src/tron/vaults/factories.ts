import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { SANDBOX_TRON_FACTORY } from '@kassa/primitives/chains/sandbox-tokens.ts'
import type { Address, Chain } from '../../adapter.ts'

/**
 * The addresses of the factory. TRON has no deployer that derives a contract's address from its code alone, so the address is
 * known only after the deployment: on public networks there is none yet.
 */
const FACTORIES: Readonly<Record<NetworkMode, Address | null>> = {
  mainnet: null,
  testnet: null,
  sandbox: SANDBOX_TRON_FACTORY,
}

/** The factory of a network, null where there is none. */
export function knownFactory({ mode }: Chain): Address | null {
  return FACTORIES[mode]
}

/** The factory of a network. @throws RangeError where there is none */
export function requireFactory(chain: Chain): Address {
  const factory = knownFactory(chain)
  if (factory === null) throw new RangeError(`This release knows of no factory on ${chain.network.name}`)
  return factory
}
