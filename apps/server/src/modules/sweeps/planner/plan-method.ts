import type { VaultItem } from '@kassa/chains/sweep-vaults.ts'
import type { SweepCause } from '@kassa/contract/sweeps/reasons.ts'
import { accountNumber } from '@kassa/keys/vault-calls.ts'
import { usdForUnits } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { usd } from '@kassa/primitives/money/usd.ts'

import type { Context } from '../../../context.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import type { SweepMethod } from '../record/service.ts'
import { isNodesFault } from './nodes.ts'
import { gasPriceOf, type Place, quoteBatch, type Quoted } from './quote.ts'
import {
  affordable,
  type Batch,
  type Candidate,
  ceilingOf,
  costOf,
  feeOf,
  planBatches,
  type SkipCode,
  type Skipped,
  type Terms,
} from './rules.ts'
import type { OutputRow } from '../record/outputs-store.ts'
import type { CandidateRow } from './store.ts'
import { termsOf } from './terms.ts'

/** One address of a plan with its stored facts, and the outputs that hold its money where money lies in outputs. */
export type Entry = Candidate & { readonly row: CandidateRow; readonly outputs?: readonly OutputRow[] }

/** One transaction of a plan. */
export type PlannedBatch = Quoted<Entry> & {
  readonly walletId: number
  readonly method: SweepMethod
  readonly vault: string
  readonly collector: string
  /** Signatures that it must carry along; absent where the contract needs no permission. */
  readonly riders?: Place['riders']
}

/** Addresses that are not swept, for one reason. */
export type LeftOut = { readonly walletId: number; readonly cause: SweepCause; readonly entries: readonly Entry[] }

export type AssetPlan = { readonly batches: readonly PlannedBatch[]; readonly leftOut: readonly LeftOut[] }

/** A plan that leaves all of these addresses out. */
export function leftOutOf(walletId: number, cause: SweepCause, entries: readonly Entry[]): AssetPlan {
  return { batches: [], leftOut: entries.length > 0 ? [{ walletId, cause, entries }] : [] }
}

type OfMethod = {
  readonly walletId: number
  readonly entries: readonly Entry[]
  readonly collector: string
  readonly mostBatches: number
}

/** Plans the addresses of a wallet that its contract moves by one method. */
export async function planMethod(ctx: Context, place: Place, of: OfMethod): Promise<AssetPlan> {
  const { walletId, entries } = of
  try {
    const gasPrice = await gasPriceOf(ctx, place)
    const found = await termsOf(ctx, place.asset, { method: place.method, gasPrice })
    if ('wait' in found) return leftOutOf(walletId, found.wait, entries)
    return await quoteAll(place, of, found.terms)
  } catch (error) {
    if (!isNodesFault(error)) throw error
    ctx.log.warn({ err: error }, 'a node did not say what a sweep costs')
    return leftOutOf(walletId, { code: 'NODE_CONNECTION_FAILED', params: { chain: place.row.code } }, entries)
  }
}

async function quoteAll(place: Place, of: OfMethod, terms: Terms): Promise<AssetPlan> {
  const { walletId, entries, collector, mostBatches } = of
  const { method, vault, asset, riders } = place
  const plan = planBatches(entries, terms)
  const batches: PlannedBatch[] = []
  const skipped = [...plan.skipped]
  const refused: LeftOut[] = []
  for (const { items } of plan.batches.slice(0, mostBatches)) {
    const quote = await quoteBatch(place, items, { terms, itemOf: (entry) => itemOf(method, entry.row, entry.units) })
    skipped.push(...quote.tooDear.map((candidate) => ({ candidate, code: 'BELOW_FEE' as const })))
    for (const { candidate, reason } of quote.refused) {
      const params = { address: candidate.row.address, message: reason }
      refused.push({ walletId, cause: { code: 'TOKEN_REFUSED', params }, entries: [candidate] })
    }
    if (quote.quoted) batches.push({ ...quote.quoted, walletId, method, vault, collector, ...(riders && { riders }) })
  }
  // Batches that no node was asked about get the price of measured gas; a node is asked before they are signed.
  const later = plan.batches.slice(mostBatches).map((batch) => estimated(batch, terms))
  batches.push(...later.map((quoted) => ({ ...quoted, walletId, method, vault, collector, ...(riders && { riders }) })))
  return { batches, leftOut: [...leftOutBy(walletId, { asset, terms }, skipped), ...refused] }
}

function estimated(batch: Batch<Entry>, terms: Terms): Quoted<Entry> {
  const gasLimit = (batch.gas * 3n) / 2n
  const ceiling = ceilingOf({ gasLimit, beside: 0n, usd: batch.usd }, terms)
  return { batch, gasLimit, fee: batch.fee, ceiling, affordable: affordable(batch.usd, terms) }
}

/**
 * The number by which the contract knows an address: the salt of its deposit contract, its place below the wallet's account, or
 * the number that the account's address is.
 */
export function itemOf(
  method: SweepMethod,
  { derivation_index, address }: Pick<CandidateRow, 'derivation_index' | 'address'>,
  units: bigint,
): VaultItem {
  const isPlace = method === 'sweep' || method === 'psbt'
  return { id: isPlace ? BigInt(derivation_index) : accountNumber(address), units }
}

type Judged = { readonly asset: Asset; readonly terms: Terms }

/** What a plan leaves out, grouped by reason. */
export function leftOutBy(walletId: number, place: Judged, skipped: readonly Skipped<Entry>[]): LeftOut[] {
  return [...Map.groupBy(skipped, ({ code }) => code)].map(([code, some]) => {
    const entries = some.map(({ candidate }) => candidate)
    return { walletId, cause: causeOf(code, entries, place), entries }
  })
}

/** Why addresses are not swept, with the figures of the largest of them. */
function causeOf(code: SkipCode, entries: readonly Entry[], { asset, terms }: Judged): SweepCause {
  const largest = entries.reduce<Entry | undefined>(
    (best, one) => (best && best.units >= one.units ? best : one),
    undefined,
  )
  const amount = (units: bigint) => formatUnits(units, asset.decimals)
  switch (code) {
    case 'QUARANTINED':
      return { code, params: {} }
    case 'NOT_APPROVED':
      return { code: 'NEEDS_PERMISSION', params: {} }
    case 'LOCKED': {
      const until = Math.max(...entries.map(({ row }) => row.locked_until?.getTime() ?? 0))
      return { code: 'ADDRESS_LOCKED', params: { until: new Date(until).toISOString() } }
    }
    case 'BELOW_MINIMUM': {
      const least = terms.minBalance ?? 1n
      const params = {
        minimum: amount(least),
        missing: amount(least - (largest?.units ?? 0n)),
        currency: asset.currencyCode,
      }
      return { code, params }
    }
    case 'BELOW_FEE': {
      const cost = largest ? feeOf([terms.costs.base, costOf(largest, terms)], terms) : 0n
      const params = {
        valueInUSD: usd(usdForUnits({ units: largest?.units ?? 0n, ...terms.asset, rounding: 'down' })),
        costInUSD: usd(usdForUnits({ units: cost, ...terms.coin, rounding: 'up' })),
      }
      return { code, params }
    }
  }
}
