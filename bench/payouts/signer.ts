/** What the signer does for every address ahead of time: a child key and a delegation, beside the arithmetic of the curve. */
import { delegateOf } from '@kassa/keys/evm/permission.ts'
import { signAuthorization } from '@kassa/keys/evm/authorization.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'

import { openSeed } from '../../packages/signer/src/seed.ts'
import type { Figure, Measurement } from '../harness/figure.ts'
import { generatorMultiplications, perSecond } from '../harness/limits.ts'
import { median } from '../harness/quantile.ts'

/** All take turns, so that what else the machine does slows them alike. The first round warms up and is left out. */
const ROUNDS = 6
const ROUND_MS = 500

/** Known to every developer: no money of anybody. */
const PHRASE = 'test test test test test test test test test test test junk'

const VAULT = '0x3333333333333333333333333333333333333333'

export const signer: Measurement = { name: 'signer', run: async () => run() }

function run(): readonly Figure[] {
  const seed = openSeed(PHRASE)
  const key = new Uint8Array(32).fill(7)
  const delegation = { chainId: 1n, address: delegateOf(VAULT), nonce: 0n }
  const digest = new Uint8Array(32).fill(9)
  const rounds = Array.from({ length: ROUNDS }, () => ({
    authorized: perSecond(() => void signAuthorization(delegation, key), ROUND_MS),
    signed: perSecond(() => void secp256k1.sign(digest, key, { prehash: false, format: 'recovered' }), ROUND_MS),
    derived: perSecond((at) => seed.withKey(`m/44'/60'/0'/0/${at}`, () => undefined), ROUND_MS),
    multiplied: generatorMultiplications(ROUND_MS),
  })).slice(1)
  const middle = (of: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[of]))
  return [
    {
      name: 'delegations signed (EIP-7702)',
      value: middle('authorized'),
      unit: '/s',
      limit: { name: 'signatures of secp256k1', value: middle('signed') },
    },
    {
      name: 'keys of addresses lent by the signer',
      value: middle('derived'),
      unit: '/s',
      limit: { name: 'multiplications of the generator', value: middle('multiplied') },
    },
  ]
}
