import type { BlockRef } from '@kassa/chains/adapter.ts'
import type { Price } from '@kassa/primitives/money/rate.ts'
import type { Context } from '../../../context.ts'
import { incomingRules, type PaymentPolicy } from '../../projects/service.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { currentPrice, priceAt } from '../../prices/service.ts'

/** What transfers are judged by besides the payments, read once for all transfers. */
export type CreditingContext = {
  readonly policyOf: (projectId: number) => PaymentPolicy
  readonly isAccepted: (projectId: number, asset: Asset) => boolean
  /** The price of an asset when a block was mined, or null when none is known. */
  readonly priceOf: (asset: Asset, block: BlockRef) => Price | null
}

type KnownAtCrediting = {
  readonly projectId: number
  readonly asset: Asset
  readonly transfer: { readonly block: BlockRef }
}

const MINUTE_MS = 60_000

/** A block at most this old may be valued at the current price. */
const NOW_MS = 5 * MINUTE_MS

/**
 * Reads the rules of all projects in one query and each price once, because anybody can send a thousand tiny transfers at
 * little cost.
 */
export async function creditingContextOf(
  ctx: Context,
  transfers: readonly KnownAtCrediting[],
): Promise<CreditingContext> {
  const rules = await incomingRules(ctx, [...new Set(transfers.map(({ projectId }) => projectId))])
  const prices = new Map<string, Price | null>()
  for (const { asset, transfer } of transfers) {
    const key = priceKey(asset, transfer.block)
    if (!prices.has(key)) prices.set(key, await valueAt(ctx, asset, transfer.block.minedAt))
  }
  return {
    policyOf: (projectId) => {
      const policy = rules.get(projectId)?.policy
      if (!policy) throw new Error(`The rules of project ${projectId} were not read`)
      return policy
    },
    isAccepted: (projectId, { id }) => rules.get(projectId)?.acceptedIds.has(id) ?? false,
    priceOf: (asset, block) => prices.get(priceKey(asset, block)) ?? null,
  }
}

/** Prices are remembered by the minute. */
function priceKey({ currencyCode }: Asset, { minedAt }: BlockRef): string {
  return `${currencyCode} ${Math.floor(minedAt.getTime() / MINUTE_MS)}`
}

/** Values at the block's own time; the current price serves only recent blocks, so that no payer gains from our delay (P-5). */
async function valueAt(ctx: Context, asset: Asset, moment: Date): Promise<Price | null> {
  const then = await priceAt(ctx, asset, moment)
  if (then) return then.price
  const isNow = Math.abs(ctx.now().getTime() - moment.getTime()) <= NOW_MS
  return isNow ? ((await currentPrice(ctx, asset))?.price ?? null) : null
}
