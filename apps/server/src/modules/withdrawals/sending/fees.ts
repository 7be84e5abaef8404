/** What the network fee of a payout is paid in, and the most that it may be. */
import { usdOf } from '@kassa/primitives/money/usd.ts'

import type { Context } from '../../../context.ts'
import { type Asset, listAssets } from '../../blockchains/chains/service.ts'
import { currentPrice } from '../../prices/service.ts'
import type { WithdrawalRow } from '../record/service.ts'
import { feeCeiling } from './rules.ts'

/** The native coin of the asset's blockchain. */
export async function coinOf(ctx: Context, asset: Asset): Promise<Asset> {
  const coins = (await listAssets(ctx)).filter(({ standard }) => standard === 'native')
  return coins.find(({ blockchainId }) => blockchainId === asset.blockchainId) ?? asset
}

/** The most that the network fee of a payout may be, in units of the coin; null while the coin has no trustworthy price. */
export async function ceilingOf(
  ctx: Context,
  row: Pick<WithdrawalRow, 'amount_usd'>,
  { asset, coin }: { readonly asset: Asset; readonly coin: Asset },
): Promise<bigint | null> {
  const [ofCoin, ofAsset] = [await currentPrice(ctx, coin), await currentPrice(ctx, asset)]
  if (!ofCoin) return null
  const units = asset.limits.withdrawFee
  const setting = units !== null && ofAsset ? { units, price: ofAsset.price, decimals: asset.decimals } : null
  return feeCeiling({
    usd: usdOf(row.amount_usd),
    setting,
    coin: { price: ofCoin.price, decimals: coin.decimals },
  })
}
