import type { SweepCause } from '@kassa/contract/sweeps/reasons.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { SendWait } from '../../sends/service.ts'

type Facts = {
  readonly chain: string
  readonly coin: { readonly currencyCode: string; readonly decimals: number }
  /** The hot wallet that pays. */
  readonly address: string
  /** The most that the transaction may cost. */
  readonly ceiling: bigint
  /** The sweep creates the contract of every address, which costs more. */
  readonly isFirst: boolean
}

/** A waiting sweep is tried again after this time; earlier on the sandbox, where people watch. */
export const AGAIN_MS = { sandbox: 5_000, testnet: 30_000, mainnet: 30_000 } as const

/** Why nothing is signed now, as the sweep shows it. */
export function waitOf(why: SendWait, { chain, coin, address, ceiling, isFirst }: Facts): SweepCause {
  const short = (units: bigint): SweepCause => ({
    code: isFirst ? 'DEPOSIT_NOT_DEPLOYED_LOW_GAS' : 'LOW_NATIVE_BALANCE',
    params: { amount: formatUnits(units > 0n ? units : 1n, coin.decimals), currency: coin.currencyCode, address },
  })
  switch (why.code) {
    case 'no_sender':
    case 'no_wallet':
      return { code: 'HOT_WALLET_MISSING', params: { chain } }
    case 'vault_locked':
      return { code: 'VAULT_LOCKED', params: {} }
    case 'wallet_locked':
      return { code: 'WALLET_LOCKED', params: {} }
    case 'busy':
      return { code: 'BUSY', params: {} }
    case 'fee_above_ceiling': {
      const gwei = (units: bigint) => formatUnits(units, coin.decimals)
      const params = { chain, current: gwei(why.needed), allowed: gwei(ceiling), unit: coin.currencyCode }
      return { code: 'GAS_TOO_HIGH', params }
    }
    case 'short_of_asset':
    case 'short_of_coin':
      return short(why.needed - why.held)
    case 'float_short_of_asset':
    case 'float_short_of_coin':
      return short(ceiling)
    case 'chain_down':
      return { code: 'NODE_CONNECTION_FAILED', params: { chain } }
  }
}

/** Whether this reason also stops every other sweep on the same blockchain. */
export function holdsChain({ code }: SweepCause): boolean {
  return HOLDS_CHAIN.has(code)
}

const HOLDS_CHAIN: ReadonlySet<string> = new Set([
  'HOT_WALLET_MISSING',
  'VAULT_LOCKED',
  'WALLET_LOCKED',
  'BUSY',
  'NODE_CONNECTION_FAILED',
] satisfies SweepCause['code'][])
