import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { SANDBOX_TRON_FACTORY } from '@kassa/primitives/chains/sandbox-tokens.ts'
import type { Address, Chain } from '../../adapter.ts'

/**
 * Where the factory stands. TRON has no deployer that gives a contract one address by its code, so it is known once it was
 * deployed: on a public network it is not yet.
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
