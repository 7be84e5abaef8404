import type { Cause } from '@kassa/contract/kit/reason.ts'
import type { PayoutWaits } from '@kassa/contract/withdrawals/waits.ts'

import type { Context } from '../../../context.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { foreseeSend } from '../../sends/service.ts'
import type { HotWallet } from '../../wallets/hot/service.ts'
import { ceilingOf } from '../sending/fees.ts'
import { refusalText, waitOf } from '../sending/rules.ts'
import type { JudgedRow } from './judge-batch.ts'

/** Payouts in one asset, and what the wallet that pays them has free of each asset. */
export type AssetRows = {
  readonly rows: readonly JudgedRow[]
  readonly asset: Asset
  readonly coin: Asset
  /** Their sum. */
  readonly units: bigint
  readonly wallet: HotWallet | null
  readonly free: ReadonlyMap<number, bigint>
}

/** The network fee of all rows together in units of the coin, and why they would wait. */
export type Foreseen = { readonly fee: bigint | null; readonly wait: Cause<PayoutWaits> | null }

/**
 * Says what signing payouts in one asset would cost and why it would wait, by the checks of `sendPayout` in their order. The
 * largest one stands for all, under the fee ceiling of the smallest, which is the lowest: nodes are asked about it alone.
 */
export async function foreseeRows(
  ctx: Context,
  { rows, asset, coin, units, wallet, free }: AssetRows,
): Promise<Foreseen> {
  const names = { chain: asset.blockchainCode, currency: asset.currencyCode, coin: coin.currencyCode }
  const bySize = rows.toSorted((one, other) => (one.units > other.units ? -1 : 1))
  const [largest, smallest] = [bySize[0], bySize.at(-1)]
  if (!largest || !smallest) throw new Error('An asset without rows was foreseen')
  const ceiling = ({ amountUsd }: JudgedRow) => ceilingOf(ctx, { amount_usd: amountUsd }, { asset, coin })
  const [maxFee, leastMaxFee] = [await ceiling(largest), await ceiling(smallest)]
  if (maxFee === null || leastMaxFee === null)
    return { fee: null, wait: { code: 'NO_PRICE', params: { currency: names.coin } } }
  if (!wallet) return { fee: null, wait: { code: 'NO_WALLET', params: { chain: names.chain } } }
  const { fee: one, why } = await foreseeSend(ctx, {
    walletId: wallet.walletId,
    blockchainId: asset.blockchainId,
    intent: { kind: 'transfer', assetId: asset.id, to: largest.request.payee.address, units: largest.units },
    maxFee: leastMaxFee,
  })
  const fee = one === null ? null : one * BigInt(rows.length)
  if (why?.code === 'would_fail' || why?.code === 'gas_above_cap') {
    return { fee, wait: { code: 'WOULD_FAIL', params: { reason: refusalText(why) } } }
  }
  if (why) return { fee, wait: waitOf(why, names) }
  if ((free.get(asset.id) ?? 0n) < units) return { fee, wait: waitOf({ code: 'float_short_of_asset' }, names) }
  // Each signature reserves its whole ceiling; the fees of all have to be there in the end.
  const coins = (free.get(coin.id) ?? 0n) - (coin.id === asset.id ? units : 0n)
  const needed = fee !== null && fee > maxFee ? fee : maxFee
  return { fee, wait: coins < needed ? waitOf({ code: 'float_short_of_coin' }, names) : null }
}
