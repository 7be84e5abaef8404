import type { BlockRef } from '@kassa/chains/adapter.ts'
import type { Price } from '@kassa/primitives/money/rate.ts'
import type { Context } from '../../../context.ts'
import { acceptedAssets, type PaymentPolicy, paymentPolicy } from '../../projects/service.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { currentPrice, priceAt } from '../../prices/service.ts'

/** What transfers are judged by besides the payments: read once for all of them. */
export type CreditingContext = {
  readonly policyOf: (projectId: number) => PaymentPolicy
  readonly isAccepted: (projectId: number, asset: Asset) => boolean
  /** What an asset was worth when a block was mined, or null when nobody can say. */
  readonly priceOf: (asset: Asset, block: BlockRef) => Price | null
}

type KnownAtCrediting = {
  readonly projectId: number
  readonly asset: Asset
  readonly transfer: { readonly block: BlockRef }
}

const MINUTE_MS = 60_000

/** As near to a moment as a remembered price may be to stand for it: within it, today's price does as well. */
const NOW_MS = 5 * MINUTE_MS

/** Reads what transfers are judged by: anybody can send a thousand tiny ones at little cost. */
export async function creditingContextOf(
  ctx: Context,
  transfers: readonly KnownAtCrediting[],
): Promise<CreditingContext> {
  const policies = new Map<number, PaymentPolicy>()
  const accepted = new Map<number, ReadonlySet<number>>()
  const prices = new Map<string, Price | null>()
  for (const { projectId, asset, transfer } of transfers) {
    if (!policies.has(projectId)) {
      policies.set(projectId, await paymentPolicy(ctx, projectId))
      accepted.set(projectId, new Set((await acceptedAssets(ctx, projectId)).map(({ id }) => id)))
    }
    const key = priceKey(asset, transfer.block)
    if (!prices.has(key)) prices.set(key, await valueAt(ctx, asset, transfer.block.minedAt))
  }
  return {
    policyOf: (projectId) => {
      const policy = policies.get(projectId)
      if (!policy) throw new Error(`The rules of project ${projectId} were not read`)
      return policy
    },
    isAccepted: (projectId, { id }) => accepted.get(projectId)?.has(id) ?? false,
    priceOf: (asset, block) => prices.get(priceKey(asset, block)) ?? null,
  }
}

/** Prices are remembered by the minute. */
function priceKey({ currencyCode }: Asset, { minedAt }: BlockRef): string {
  return `${currencyCode} ${Math.floor(minedAt.getTime() / MINUTE_MS)}`
}

/** At the block's own time (P-5); the price of now only for a block of now, so that nobody gains by our being late. */
async function valueAt(ctx: Context, asset: Asset, moment: Date): Promise<Price | null> {
  const then = await priceAt(ctx, asset, moment)
  if (then) return then.price
  const isNow = Math.abs(ctx.now().getTime() - moment.getTime()) <= NOW_MS
  return isNow ? ((await currentPrice(ctx, asset))?.price ?? null) : null
}
