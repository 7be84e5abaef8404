import type { SweepCause } from '@kassa/contract/sweeps/reasons.ts'
import { type Price, type Usd, usdForUnits } from '@kassa/primitives/money/rate.ts'
import { usdOf } from '@kassa/primitives/money/usd.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { type Asset, listAssets } from '../../blockchains/chains/service.ts'
import { currentPrices } from '../../prices/service.ts'
import { setting } from '../../settings/service.ts'
import type { SweepMethod } from '../record/service.ts'
import type { Cost, Terms, Triggers } from './rules.ts'

/** A fee is at most one percent of what it moves (money.md 6.8). */
const MAX_FEE_BPS = 100n

/** Addresses of one transaction, unless operators set another number. */
const USUAL_ITEMS = 100

/** The same for TRON, until a public network has shown that more fit into one transaction there (money.md 6.10). */
const USUAL_ITEMS_ON_TRON = 10

/** Gas of one transaction: a twentieth of what blocks hold, so that no block is too full for it. */
const MAX_GAS = { BASE: 5_000_000n, else: 3_000_000n } as const

const BASE: Cost = { gas: 30_000n, beside: 0n }
const gas = (units: bigint): Cost => ({ gas: units, beside: 0n })

/**
 * What an address costs, as measured once (money.md 6.1), including what a proxied token adds. It decides which addresses to
 * consider; a node's exact estimate replaces it before anything is shown or signed.
 */
const COSTS: Readonly<Record<SweepMethod, { readonly first: Cost; readonly repeat: Cost }>> = {
  sweep: { first: gas(56_000n), repeat: gas(13_000n) },
  pull: { first: gas(62_000n), repeat: gas(12_500n) },
  delegated: { first: gas(31_000n), repeat: gas(13_000n) },
  // In virtual bytes, of the larger kind of output; each address adds the bytes of its own inputs.
  psbt: { first: gas(91n), repeat: gas(91n) },
}

/** The same in TRON's energy; tokens there take several times as much (money.md 6.10). */
const ENERGY_COSTS: typeof COSTS = {
  sweep: { first: gas(117_000n), repeat: gas(72_000n) },
  pull: { first: gas(72_000n), repeat: gas(72_000n) },
  delegated: { first: gas(72_000n), repeat: gas(72_000n) },
  psbt: COSTS.psbt,
}

/** The native coin of an asset's blockchain. */
export async function coinOf(ctx: Context, asset: Asset): Promise<Asset> {
  const coins = (await listAssets(ctx)).filter(({ standard }) => standard === 'native')
  return coins.find(({ blockchainId }) => blockchainId === asset.blockchainId) ?? asset
}

/** The terms of a plan at current prices, or why it cannot be known whether a sweep pays off. */
export async function termsOf(
  ctx: Context,
  asset: Asset,
  { method, gasPrice }: { readonly method: SweepMethod; readonly gasPrice: bigint },
): Promise<{ readonly terms: Terms; readonly coin: Asset } | { readonly wait: SweepCause }> {
  const coin = await coinOf(ctx, asset)
  const prices = await currentPrices(ctx)
  const [ofAsset, ofCoin] = [prices.get(asset.id), prices.get(coin.id)]
  if (ofAsset === undefined || ofCoin === undefined) {
    const { currencyCode: currency } = ofAsset === undefined ? asset : coin
    return { wait: { code: 'NO_PRICE', params: { currency } } }
  }
  const isTron = asset.blockchainCode === 'TRX'
  const costs = isTron ? ENERGY_COSTS : COSTS
  const terms = {
    asset: { price: ofAsset, decimals: asset.decimals },
    coin: { price: ofCoin, decimals: coin.decimals },
    gasPrice,
    costs: { base: BASE, ...costs[method] },
    maxFeeBps: MAX_FEE_BPS,
    minBalance: asset.limits.minBalanceForSweep,
    maxItems: asset.sweepBatchSize ?? (isTron ? USUAL_ITEMS_ON_TRON : USUAL_ITEMS),
    maxGas: asset.blockchainCode === 'BASE' ? MAX_GAS.BASE : MAX_GAS.else,
  }
  return { terms, coin }
}

/** A batch of this value starts automatically, unless operators set another amount: 500 US dollars (money.md 6.8). */
const MIN_USD: Usd = 500_000_000n

/** This many addresses share the fixed cost well enough that waiting gains nothing. */
const MIN_ITEMS = 50

/** How long money waits for other money, unless operators set another time. */
const MAX_WAIT_MINUTES = 30

/** When the balances of an asset are swept automatically. */
export async function triggersOf(ctx: Context, asset: Asset, price: Price): Promise<Triggers> {
  const { decimals, limits, sweepMaxWaitMinutes } = asset
  const least = limits.minAmountInSweepTx
  const wanted = least === null ? MIN_USD : usdForUnits({ units: least, price, decimals, rounding: 'down' })
  const most = await unreviewedCap(ctx, asset)
  return {
    minUsd: most !== null && most < wanted ? most : wanted,
    minItems: MIN_ITEMS,
    maxAgeMs: (sweepMaxWaitMinutes ?? MAX_WAIT_MINUTES) * 60_000,
  }
}

/** A contract without an external review holds at most this much real money, whatever amount operators set (money.md 9.2). */
async function unreviewedCap(ctx: Context, { blockchainCode }: Asset): Promise<Usd | null> {
  // Coins in outputs lie in no contract.
  if (ctx.config.network !== 'mainnet' || blockchainCode === 'BTC') return null
  return usdOf((await setting(ctx, 'sweeps.unreviewed_cap_usd')) ?? '0')
}

/**
 * The price of one gas in the unit that people of a blockchain use: gwei; on TRON sun per unit of energy; on Bitcoin the price
 * of a byte.
 */
export function gasPriceText(
  blockchainCode: string,
  price: bigint,
): { readonly amount: string; readonly unit: string } {
  if (blockchainCode === 'TRX') return { amount: String(price), unit: 'sun' }
  if (blockchainCode === 'BTC') return { amount: String(price), unit: 'sat/vB' }
  return { amount: formatUnits(price, 9), unit: 'gwei' }
}
