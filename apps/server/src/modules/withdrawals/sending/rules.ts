import type { Cause } from '@kassa/contract/kit/reason.ts'
import type { PayoutWaits } from '@kassa/contract/withdrawals/waits.ts'
import { type Price, unitsForUsd, usdForUnits, type Usd } from '@kassa/primitives/money/rate.ts'

import type { SendRefusal, SendWait } from '../../sends/service.ts'
import type { PolicyDecision } from '../policy/service.ts'

/** The smallest fee ceiling of a payout, whatever its value: 5 US dollars. */
const LEAST_CEILING: Usd = 5_000_000n

/** Above that, the ceiling is a fiftieth of its value (money.md 7.3). */
const SHARE = 50n

export type FeeQuestion = {
  /** The value of the payout. */
  readonly usd: Usd
  /** The most that operators allow the network fee of this asset's payouts to be, at its price; null without such a setting. */
  readonly setting: { readonly units: bigint; readonly price: Price; readonly decimals: number } | null
  /** The native coin, in which the fee is paid. */
  readonly coin: { readonly price: Price; readonly decimals: number }
}

/** The most that the network fee of a payout may be, in units of the native coin. */
export function feeCeiling({ usd, setting, coin }: FeeQuestion): bigint {
  const share = usd / SHARE
  const usual = share > LEAST_CEILING ? share : LEAST_CEILING
  const set = setting && usdForUnits({ ...setting, rounding: 'down' })
  const least = set !== null && set > 0n && set < usual ? set : usual
  return unitsForUsd({ usd: least, price: coin.price, decimals: coin.decimals, step: 1n, rounding: 'down' })
}

type Names = { readonly chain: string; readonly currency: string; readonly coin: string }

/** Why nothing is signed now, as the payout shows it. */
export function waitOf(why: SendWait, { chain, currency, coin }: Names): Cause<PayoutWaits> {
  switch (why.code) {
    case 'no_sender':
    case 'no_wallet':
      return { code: 'NO_WALLET', params: { chain } }
    case 'vault_locked':
      return { code: 'VAULT_LOCKED', params: {} }
    case 'wallet_locked':
      return { code: 'WALLET_LOCKED', params: {} }
    case 'busy':
      return { code: 'BUSY', params: {} }
    case 'fee_above_ceiling':
      return { code: 'FEE_TOO_HIGH', params: { chain } }
    case 'short_of_asset':
    case 'float_short_of_asset':
      return { code: 'INSUFFICIENT_FUNDS', params: { currency, chain } }
    case 'short_of_coin':
    case 'float_short_of_coin':
      return { code: 'GAS', params: { currency: coin, chain } }
    case 'chain_down':
      return { code: 'CHAIN_DOWN', params: { chain } }
  }
}

type Off = Pick<Names, 'chain' | 'currency'> & { readonly isChainOn: boolean }

/** Why a payout that the policy blocks for a time waits; undefined where a person must decide first. */
export function waitOfBlock(
  block: Extract<PolicyDecision, { kind: 'block' }>,
  { chain, currency, isChainOn }: Off,
): Cause<PayoutWaits> | undefined {
  if (block.code === 'payouts_paused') return { code: 'PAUSED', params: {} }
  if (block.code === 'recipient_too_new')
    return { code: 'LIMIT', params: { until: block.until?.toISOString() ?? null } }
  if (block.code !== 'asset_not_payable') return undefined
  // What is switched off may come back; every other block needs a person's decision. An asset that is off stops no other one.
  return isChainOn ? { code: 'ASSET_OFF', params: { currency, chain } } : { code: 'CHAIN_DOWN', params: { chain } }
}

/** Why the chain would refuse a payout, as the payout shows it. */
export function refusalText(why: SendRefusal): string {
  return why.code === 'would_fail' ? why.reason : 'the receiver is a contract that needs too much gas'
}

/** Whether this reason also stops every other payout on the same blockchain. */
export function holdsChain({ code }: Cause<PayoutWaits>): boolean {
  return HOLDS_CHAIN.has(code)
}

const HOLDS_CHAIN: ReadonlySet<string> = new Set([
  'NO_WALLET',
  'VAULT_LOCKED',
  'WALLET_LOCKED',
  'BUSY',
  'CHAIN_DOWN',
] satisfies Cause<PayoutWaits>['code'][])

/** How long a payout that waits for something of its own, which only nodes know, is not planned anew: each plan asks them. */
export const PLAN_AGAIN_MS = 10_000

/** Whether nodes were asked to find this reason, and would be asked again for each payout that has it. */
export function asksNodes({ code }: Cause<PayoutWaits>): boolean {
  return FOUND_BY_NODES.has(code)
}

const FOUND_BY_NODES: ReadonlySet<string> = new Set([
  'INSUFFICIENT_FUNDS',
  'GAS',
  'FEE_TOO_HIGH',
  'WOULD_FAIL',
] satisfies Cause<PayoutWaits>['code'][])
