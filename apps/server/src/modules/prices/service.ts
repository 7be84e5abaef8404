/**
 * Prices: what an asset costs in US dollars right now, or that there is no trustworthy price. Without one there is no
 * quote, and the asset is not offered. One process asks the sources and stores their reports; every process decides
 * from those, so a request never waits for the internet.
 */
import { type Price, PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import type { Context } from '../../context.ts'
import { type Asset, listAssets } from '../blockchains/chains/service.ts'
import { judgeNow, loadBoard, type PricedAsset } from './board.ts'
import type { PriceFacts } from './rules.ts'
import { deleteSandboxPrice, findNearestPrice, upsertSandboxPrice } from './store.ts'

export type { PriceFacts } from './rules.ts'

/** A price is stored every minute; with a few minutes missing the nearest one still gives the value of a coin. */
const NEAREST_MS = 5 * 60_000

/** The price of an asset now with the evidence for it, or null when there is no trustworthy one. */
export async function currentPrice(ctx: Context, asset: PricedAsset): Promise<PriceFacts | null> {
  return judgeNow(ctx, await loadBoard(ctx), asset).facts
}

/** The trustworthy prices of now, by asset; an asset without one is left out. */
export async function currentPrices(ctx: Context): Promise<ReadonlyMap<number, Price>> {
  const board = await loadBoard(ctx)
  const judged = (await listAssets(ctx)).map((asset) => ({ id: asset.id, facts: judgeNow(ctx, board, asset).facts }))
  return new Map(judged.flatMap(({ id, facts }) => (facts ? [[id, facts.price] as const] : [])))
}

/** The price of a currency at a time, or null when none was stored within five minutes of it: never a guess. */
export async function priceAt(
  ctx: Context,
  asset: PricedAsset,
  moment: Date,
): Promise<{ readonly price: Price; readonly at: Date } | null> {
  // The sandbox's table has no history.
  if (ctx.config.network === 'sandbox') return currentPrice(ctx, asset)
  const found = await findNearestPrice(ctx, asset.currencyCode, { moment, withinMs: NEAREST_MS })
  return found ? { price: parseUnits(found.price, PRICE_DECIMALS), at: found.at } : null
}

export type TickerFacts = {
  readonly asset: Asset
  readonly facts: PriceFacts | null
  /** When there was a price last, while there is none; null when never. */
  readonly lastAt: Date | null
}

/** Every asset that can be paid with and its price, by id. */
export async function tickerRows(ctx: Context): Promise<TickerFacts[]> {
  const assets = (await listAssets(ctx)).filter((asset) => asset.visible && asset.depositEnabled)
  const board = await loadBoard(ctx)
  return assets.map((asset) => ({
    asset,
    facts: judgeNow(ctx, board, asset).facts,
    lastAt: board.get(asset.currencyCode)?.previousAt ?? null,
  }))
}

/** Sets what the sandbox's source reports: a drifted price, or nonsense; null returns to its table. */
export async function setSandboxPrice(
  ctx: Context,
  { currencyCode, price }: { currencyCode: string; price: string | null },
): Promise<void> {
  if (ctx.config.network !== 'sandbox') throw new Error('Only the sandbox has prices of its own')
  await (price === null ? deleteSandboxPrice(ctx, currencyCode) : upsertSandboxPrice(ctx, currencyCode, price))
}
