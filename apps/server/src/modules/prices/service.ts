/**
 * Prices: what an asset costs in US dollars right now, or that nobody can say. No trustworthy price means no quote: the
 * asset is not offered until there is one. One process asks the sources and stores what they say; every process decides
 * from that, so a request never waits for the internet.
 */
import { type Price, PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import type { Context } from '../../context.ts'
import { type Asset, listAssets } from '../blockchains/chains/service.ts'
import { judgeNow, loadBoard, type PricedAsset } from './board.ts'
import type { PriceFacts } from './rules.ts'
import { deleteSandboxPrice, findNearestPrice, upsertSandboxPrice } from './store.ts'

export type { PriceFacts } from './rules.ts'

/** A price is remembered every minute; with a few minutes missing the next one still tells what a coin was worth. */
const NEAREST_MS = 5 * 60_000

/** The price of an asset now with the evidence for it, or null when there is no trustworthy one. */
export async function currentPrice(ctx: Context, asset: PricedAsset): Promise<PriceFacts | null> {
  return judgeNow(ctx, await loadBoard(ctx), asset).facts
}

/** The price of a currency at a moment, or null when none was remembered within five minutes of it: never a guess. */
export async function priceAt(
  ctx: Context,
  asset: PricedAsset,
  moment: Date,
): Promise<{ readonly price: Price; readonly at: Date } | null> {
  // The sandbox's table knows no time.
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

/** Every asset that can be paid with and what it costs, by id. */
export async function tickerRows(ctx: Context): Promise<TickerFacts[]> {
  const assets = (await listAssets(ctx)).filter((asset) => asset.visible && asset.depositEnabled)
  const board = await loadBoard(ctx)
  return assets.map((asset) => ({
    asset,
    facts: judgeNow(ctx, board, asset).facts,
    lastAt: board.get(asset.currencyCode)?.previousAt ?? null,
  }))
}

/** Tells the sandbox's source what to say: a drifted price, or nonsense; null lets it speak for itself again. */
export async function setSandboxPrice(
  ctx: Context,
  { currencyCode, price }: { currencyCode: string; price: string | null },
): Promise<void> {
  if (ctx.config.network !== 'sandbox') throw new Error('Only the sandbox has prices of its own')
  await (price === null ? deleteSandboxPrice(ctx, currencyCode) : upsertSandboxPrice(ctx, currencyCode, price))
}
