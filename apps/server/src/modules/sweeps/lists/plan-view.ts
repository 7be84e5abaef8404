import { fail } from '@kassa/contract/kit/api-error.ts'
import { textOf, withText } from '@kassa/contract/kit/reason.ts'
import type { SweepQuestion } from '@kassa/contract/sweeps/inputs.ts'
import { type SweepCause, SWEEP_WAITS } from '@kassa/contract/sweeps/reasons.ts'
import type { SweepPlan } from '@kassa/contract/sweeps/schemas.ts'
import { type Price, usdForUnits } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { usd } from '@kassa/primitives/money/usd.ts'

import type { Context, ProjectScope } from '../../../context.ts'
import { type Asset, findAsset } from '../../blockchains/chains/service.ts'
import { currentPrices } from '../../prices/service.ts'
import {
  type AssetPlan,
  coinOf,
  gasPriceText,
  type LeftOut,
  listWalletFacts,
  planAsset,
  type PlannedBatch,
} from '../planner/service.ts'

/** How many transactions of each wallet a node is asked about; of the rest the screen shows only a sum. */
const MOST_QUOTED = 10

type Planned = { readonly asset: Asset; readonly plan: AssetPlan }

/**
 * Plans what a caller asks about. Call it outside of transactions.
 * @throws ASSET_NOT_FOUND, WALLET_NOT_FOUND, COLD_WALLET_MISSING, FAMILY_UNSUPPORTED
 */
export async function planQuestion(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
  { walletID, blockchainCode, currencyCode }: SweepQuestion,
): Promise<Planned> {
  const asset = await findAsset(ctx, blockchainCode, currencyCode)
  const walletId = walletID ?? null
  if (walletId !== null && !(await listWalletFacts(ctx, [walletId])).has(walletId)) fail('WALLET_NOT_FOUND')
  const found = await planAsset(ctx, { asset, walletId, projectIds, sender: 'hot-wallet', mostBatches: MOST_QUOTED })
  const missing = found.leftOut.find(({ cause }) => isEndMissing(cause))
  if (missing && found.batches.length === 0 && found.leftOut.every(({ cause }) => isEndMissing(cause))) {
    fail('COLD_WALLET_MISSING', { details: textOf(SWEEP_WAITS, missing.cause) })
  }
  return { asset, plan: affordableOf(found, asset.blockchainCode) }
}

function isEndMissing({ code }: SweepCause): boolean {
  return code === 'COLD_WALLET_MISSING' || code === 'COLD_WALLET_TOO_NEW'
}

/** The batches that can start; one whose fee ceiling would be a loss is left out. */
function affordableOf({ batches, leftOut }: AssetPlan, chain: string): AssetPlan {
  const dear = batches.filter(({ ceiling }) => ceiling === null).map((batch) => dearOf(batch, chain))
  return { batches: batches.filter(({ ceiling }) => ceiling !== null), leftOut: [...leftOut, ...dear] }
}

function dearOf({ walletId, batch, fee, affordable, gasLimit }: PlannedBatch, chain: string): LeftOut {
  const current = gasPriceText(chain, batch.gas > 0n ? fee / batch.gas : 0n)
  const allowed = gasPriceText(chain, gasLimit > 0n ? affordable / gasLimit : 0n)
  const params = { chain, current: current.amount, allowed: allowed.amount, unit: current.unit }
  return { walletId, cause: { code: 'GAS_TOO_HIGH', params }, entries: batch.items }
}

type Stored = { readonly planId: string; readonly expiresAt: Date }

/** A plan as the contract shows it. */
export async function planView(
  ctx: Context,
  { asset, plan }: Planned,
  { planId, expiresAt }: Stored,
): Promise<SweepPlan> {
  const coin = await coinOf(ctx, asset)
  const prices = await currentPrices(ctx)
  const price = prices.get(asset.id)
  const names = await listWalletFacts(
    ctx,
    plan.batches.map(({ walletId }) => walletId),
  )
  const ends = new Set(plan.batches.map(({ collector }) => collector))
  return {
    planID: planId,
    expiresAt,
    blockchainCode: asset.blockchainCode,
    currencyCode: asset.currencyCode,
    feeCurrency: coin.currencyCode,
    batches: plan.batches.map((batch) => ({
      ...batchView(batch, { asset, coin, coinPrice: prices.get(coin.id) }),
      walletName: names.get(batch.walletId)?.name ?? '',
    })),
    skipped: [...Map.groupBy(plan.leftOut, ({ cause }) => JSON.stringify(cause)).values()].flatMap((some) =>
      skippedView(some, asset, price),
    ),
    fundCollectorAddress: ends.size === 1 ? ([...ends][0] ?? null) : null,
  }
}

type Money = { readonly asset: Asset; readonly coin: Asset; readonly coinPrice: Price | undefined }

function batchView({ walletId, collector, batch, fee }: PlannedBatch, { asset, coin, coinPrice: price }: Money) {
  const feeUsd =
    price === undefined ? null : usdForUnits({ units: fee, price, decimals: coin.decimals, rounding: 'up' })
  return {
    walletID: walletId,
    fundCollectorAddress: collector,
    addressCount: batch.items.length,
    amount: formatUnits(batch.units, asset.decimals),
    amountInUSD: usd(batch.usd),
    estimatedFee: formatUnits(fee, coin.decimals),
    estimatedFeeInUSD: feeUsd === null ? null : usd(feeUsd),
    // Hundredths of a percent, as decimal text.
    feePercent:
      feeUsd === null || batch.usd === 0n ? null : formatUnits((feeUsd * 10_000n + batch.usd - 1n) / batch.usd, 2),
  }
}

function skippedView(some: readonly LeftOut[], asset: Asset, price: Price | undefined): SweepPlan['skipped'] {
  const [first] = some
  if (!first) return []
  const entries = some.flatMap((one) => one.entries)
  const units = entries.reduce((sum, entry) => sum + entry.units, 0n)
  const value = price === undefined ? null : usdForUnits({ units, price, decimals: asset.decimals, rounding: 'down' })
  return [
    {
      reason: withText(SWEEP_WAITS, first.cause),
      addressCount: entries.length,
      amount: formatUnits(units, asset.decimals),
      amountInUSD: value === null ? null : usd(value),
    },
  ]
}
