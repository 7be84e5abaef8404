/** Deposit addresses from an extended public key, beside the arithmetic on the curve that each of them needs. */
import { chainIn } from '@kassa/chains/chain.ts'
import { evmDeposits } from '@kassa/chains/evm/addresses/derivation.ts'
import { eth } from '@kassa/primitives/chains/definitions/eth.ts'

import type { Figure, Measurement } from '../harness/figure.ts'
import { generatorMultiplications, perSecond, pointAdditions } from '../harness/limits.ts'
import { median } from '../harness/quantile.ts'

/** Account m/44'/60'/0' of the words "test test … junk", which every developer's chain knows: no money of anybody. */
const XPUB =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP'

/** The three take turns, so that what else the machine does slows them alike. The first round warms up and is left out. */
const ROUNDS = 6
const ROUND_MS = 500

export const addressDerivation: Measurement = { name: 'derivation', run: async () => run() }

function run(): readonly Figure[] {
  const chain = chainIn('sandbox', eth)
  const source = evmDeposits.check(XPUB)
  const rounds = Array.from({ length: ROUNDS }, () => ({
    derived: perSecond((index) => void evmDeposits.derive(chain, source, index), ROUND_MS),
    added: pointAdditions(ROUND_MS),
    multiplied: generatorMultiplications(ROUND_MS),
  })).slice(1)
  const beside = (name: string, limits: readonly number[]): Figure => ({
    name: 'addresses derived from an xpub',
    value: median(rounds.map(({ derived }) => derived)),
    unit: '/s',
    limit: { name, value: median(limits) },
  })
  return [
    beside(
      'additions of two points',
      rounds.map(({ added }) => added),
    ),
    beside(
      'multiplications of the generator',
      rounds.map(({ multiplied }) => multiplied),
    ),
  ]
}
