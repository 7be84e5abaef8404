import type { ChainSession } from '@kassa/chains/adapter.ts'
import type { SweepCall, VaultItem } from '@kassa/chains/sweep-vaults.ts'

import type { Context } from '../../../context.ts'
import { remembered } from '../../../memory.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import type { SweepMethod } from '../record/service.ts'
import { affordable, type Batch, type Candidate, ceilingOf, planBatches, type Terms } from './rules.ts'
import { authorizationsIn, permitsIn, type Riders } from './permissions.ts'
import type { SweepChain } from './sources.ts'

export type Place = SweepChain & {
  readonly session: ChainSession
  readonly vault: string
  readonly asset: Asset
  readonly method: SweepMethod
  /** The wallet that pays. */
  readonly payer: string
  /** Signatures to carry along; absent where the contract needs no permission. */
  readonly riders?: Riders
}

/** The call that moves these items. */
export function callOf(
  { asset, method, riders = new Map() }: Pick<Place, 'asset' | 'method' | 'riders'>,
  items: readonly VaultItem[],
): SweepCall {
  const token = asset.standard === 'native' ? null : asset.address
  if (method === 'pull') {
    const permits = permitsIn(riders, items)
    const pulled = { token: token ?? '', items }
    return permits.length > 0 ? { kind: 'permitAndPull', permits, ...pulled } : { kind: 'pullToken', ...pulled }
  }
  if (method === 'delegated') {
    return token === null ? { kind: 'sweepNativeDelegated', items } : { kind: 'sweepTokenDelegated', token, items }
  }
  return token === null ? { kind: 'sweepNative', items } : { kind: 'sweepToken', token, items }
}

/** Recent prices of gas, by blockchain: a page that is open asks for the same price again and again. */
const recent = remembered((): Map<number, { readonly at: number; readonly price: bigint }> => new Map())

const RECENT_MS = 10_000

/** What one gas costs now. */
export async function gasPriceOf(ctx: Context, place: Place): Promise<bigint> {
  const { vault, payer, row } = place
  const prices = recent(ctx)
  const known = prices.get(row.id)
  const now = ctx.now().getTime()
  if (known && Math.abs(now - known.at) < RECENT_MS) return known.price
  const { gasPrice } = await place.vaults.quote(place.session, { vault, call: callOf(place, []), payer })
  prices.set(row.id, { at: now, price: gasPrice })
  return gasPrice
}

type Refused<C> = { readonly candidate: C; readonly reason: string }

/** A batch at the price that a node names now. */
export type Quoted<C extends Candidate> = {
  readonly batch: Batch<C>
  readonly gasLimit: bigint
  /** Its cost now, in the native coin, and the most that may be signed; null where that would be a loss. */
  readonly fee: bigint
  readonly ceiling: bigint | null
  /** What the ratio rule would allow, in the native coin. */
  readonly affordable: bigint
}

type Quote<C extends Candidate> = {
  /** Null when no address of it is worth its fee. */
  readonly quoted: Quoted<C> | null
  /** Addresses whose token refuses the transfer, and addresses that cost too much by the node's estimate. */
  readonly refused: readonly Refused<C>[]
  readonly tooDear: readonly C[]
  /** Where the contract sends everything now, and the price of one gas. */
  readonly collector: string
  readonly gasPrice: bigint
}

/** Estimates become exact within a few rounds: each round drops the addresses that the last one found too expensive. */
const MOST_ROUNDS = 3

/**
 * Asks a node for the exact cost of these addresses, and which of them would move nothing (S-9). While the rest would be a loss
 * at that cost, the least valuable addresses are left out (S-6).
 */
export async function quoteBatch<C extends Candidate>(
  place: Place,
  candidates: readonly C[],
  { terms, itemOf }: { readonly terms: Terms; readonly itemOf: (candidate: C) => VaultItem },
): Promise<Quote<C>> {
  const [refused, tooDear]: [Refused<C>[], C[]] = [[], []]
  let left = [...candidates]
  let [collector, price] = ['', 0n]
  for (let round = 0; left.length > 0 && round < MOST_ROUNDS; round += 1) {
    const call = callOf(place, left.map(itemOf))
    const authorizations = authorizationsIn(place.riders ?? new Map(), call.items)
    const { vault, payer } = place
    const answer = await place.vaults.quote(place.session, { vault, call, payer, authorizations })
    collector = answer.collector
    price = answer.gasPrice
    const reasons = new Map(answer.refused.map(({ index, reason }) => [index, reason]))
    refused.push(...left.map((candidate, at) => ({ candidate, reason: reasons.get(at) ?? '' })).filter(isRefused))
    left = left.filter((_, at) => !reasons.has(at))
    if (left.length === 0) break
    const exact = exactTerms(terms, answer, left)
    const { batches, skipped } = planBatches(left, exact)
    tooDear.push(...skipped.map(({ candidate }) => candidate))
    const [batch] = batches
    if (batch?.items.length === left.length) {
      const { gas, gasLimit, beside, gasPrice } = answer
      const ceiling = ceilingOf({ gasLimit, beside, usd: batch.usd }, exact)
      const quoted = {
        batch,
        gasLimit,
        fee: gas * gasPrice + beside,
        ceiling,
        affordable: affordable(batch.usd, exact),
      }
      return { quoted, refused, tooDear, collector, gasPrice: price }
    }
    left = batches.flatMap(({ items }) => items)
  }
  return { quoted: null, refused, tooDear: [...tooDear, ...left], collector, gasPrice: price }
}

function isRefused({ reason }: Refused<unknown>): boolean {
  return reason !== ''
}

/** The terms with the cost of these addresses by a node: the same for each address, besides the cost of any transaction. */
function exactTerms(
  terms: Terms,
  { gas, gasPrice, beside }: { readonly gas: bigint; readonly gasPrice: bigint; readonly beside: bigint },
  items: readonly Candidate[],
): Terms {
  const { base } = terms.costs
  const count = BigInt(items.length)
  const more = gas > base.gas ? gas - base.gas : 0n
  const each = { gas: (more + count - 1n) / count, beside: (beside + count - 1n) / count }
  // They fitted into one transaction before, and the node's answer shows that they still do.
  const costs = { base, first: each, repeat: each }
  return { ...terms, gasPrice, costs, minBalance: null, maxItems: items.length, maxGas: gas * 2n + base.gas }
}
