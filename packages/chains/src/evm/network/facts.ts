import type { EvmFacts } from '@kassa/primitives/chains/blockchain.ts'
import type { Chain } from '../../adapter.ts'

/** Returns what is true of a chain of this family. @throws RangeError for a chain of another */
export function factsOf({ blockchain }: Chain): EvmFacts {
  if (blockchain.facts.family === 'evm') return blockchain.facts
  throw new RangeError(`${blockchain.code} does not speak Ethereum's JSON-RPC`)
}
