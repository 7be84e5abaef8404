import type { AccountBalance } from '@kassa/contract/ledger/schemas.ts'
import { usdForUnits } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../context.ts'
import { type Asset, listAssets } from '../blockchains/chains/service.ts'
import { currentPrice } from '../prices/service.ts'
import { listBalances, listBalancesAt } from './balances-store.ts'
import type { ProjectIds } from './entries-store.ts'

/** What is shown of a dollar. */
const CENT_DECIMALS = 2
const MICRO_PER_CENT = 10_000n

/** What each account of the projects holds, now or at a time; dollars only at the price of now. */
export async function showBalances(ctx: Context, projectIds: ProjectIds, asOf?: Date): Promise<AccountBalance[]> {
  const balances = asOf ? await listBalancesAt(ctx, projectIds, asOf) : await listBalances(ctx, projectIds)
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const rows: AccountBalance[] = []
  for (const { account, assetId, units } of balances) {
    const asset = assets.get(assetId)
    if (!asset) throw new Error(`An account is of an asset ${assetId} that is not there`)
    const { blockchainCode, currencyCode, decimals } = asset
    const inUSD = asOf ? null : await worthOf(ctx, asset, units)
    rows.push({ account, blockchainCode, currencyCode, balance: formatUnits(units, decimals), inUSD })
  }
  return rows
}

async function worthOf(ctx: Context, asset: Asset, units: bigint): Promise<string | null> {
  const price = (await currentPrice(ctx, asset))?.price
  if (price === undefined) return null
  const micro = usdForUnits({ units, price, decimals: asset.decimals, rounding: 'down' })
  return formatUnits(micro / MICRO_PER_CENT, CENT_DECIMALS)
}
