/**
 * Prices: what an asset costs in US dollars right now, or that nobody can say. No trustworthy price means no quote: the
 * asset is not offered until there is one.
 */
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'

import type { Context } from '../../context.ts'
import { type Asset, listAssets } from '../blockchains/service.ts'
import { decidePrice, type PriceFacts } from './rules.ts'
import { nominalPrice, type PriceSource, sandboxSource } from './sources.ts'
import { deleteSandboxPrice, upsertSandboxPrice } from './store.ts'

export type { PriceFacts } from './rules.ts'

/** A price must stand on two sources; the sandbox's has only its own (money.md 3.3). */
const MIN_SOURCES = 2

/** The price of an asset now with the evidence for it, or null when there is no trustworthy one. */
export async function currentPrice(
  ctx: Context,
  asset: Pick<Asset, 'currencyCode' | 'isStable'>,
): Promise<PriceFacts | null> {
  const isSandbox = ctx.config.network === 'sandbox'
  const readings = await Promise.all(sourcesOf(ctx).map((source) => source(ctx, asset.currencyCode)))
  const nominal = isSandbox ? nominalPrice(asset.currencyCode) : null
  return decidePrice(
    readings.filter((reading) => reading !== null),
    {
      now: ctx.now(),
      isStable: asset.isStable,
      minSources: isSandbox ? 1 : MIN_SOURCES,
      previous: nominal === null ? null : parseUnits(nominal, PRICE_DECIMALS),
    },
  )
}

/** Every asset that can be paid with and what it costs, by id. */
export async function tickerRows(ctx: Context): Promise<{ asset: Asset; facts: PriceFacts | null }[]> {
  const assets = (await listAssets(ctx)).filter((asset) => asset.visible && asset.depositEnabled)
  const codes = new Map(assets.map((asset) => [asset.currencyCode, asset]))
  const prices = new Map<string, PriceFacts | null>()
  for (const [code, asset] of codes) prices.set(code, await currentPrice(ctx, asset))
  return assets.map((asset) => ({ asset, facts: prices.get(asset.currencyCode) ?? null }))
}

/** Tells the sandbox's source what to say: a drifted price, or nonsense; null lets it speak for itself again. */
export async function setSandboxPrice(
  ctx: Context,
  { currencyCode, price }: { currencyCode: string; price: string | null },
): Promise<void> {
  if (ctx.config.network !== 'sandbox') throw new Error('Only the sandbox has prices of its own')
  await (price === null ? deleteSandboxPrice(ctx, currencyCode) : upsertSandboxPrice(ctx, currencyCode, price))
}

/** On real networks no source is connected yet: no price, so no quote. */
function sourcesOf({ config }: Context): readonly PriceSource[] {
  return config.network === 'sandbox' ? [sandboxSource] : []
}
