import type { PayoutBalance, PayoutMetrics } from '@kassa/contract/withdrawals/schemas.ts'
import { type Price, PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { usd } from '@kassa/primitives/money/usd.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type * as z from 'zod/mini'

import type { Context, ProjectScope } from '../../../context.ts'
import { type Asset, listAssets, listBlockchains } from '../../blockchains/chains/service.ts'
import { currentPrices } from '../../prices/service.ts'
import { findHotWallet, type HotWallet } from '../../wallets/hot/service.ts'
import { pausesOf, policyOf } from '../policy/service.ts'
import { trimmed } from '../record/announce.ts'
import { remainingEarnings } from '../record/earned.ts'
import { sumWindows } from '../record/store.ts'
import { deciderOf } from './decider.ts'
import { findMetrics, listFloats, listHeld, listShortOf } from './store.ts'
import { stillWaiting } from './still-waiting.ts'

/** Counts payouts that wait and that were sent, and how much of the limits is used. All projects together have no limits. */
export async function payoutMetrics(
  ctx: Context,
  { projectId, projectIds }: ProjectScope,
): Promise<z.output<typeof PayoutMetrics>> {
  const decider = deciderOf(ctx)
  const involved = await stillWaiting(ctx, decider)
  const found = await findMetrics(ctx, projectIds, { decider, involved, now: ctx.now() })
  return {
    pendingApproval: found.pending_approval,
    waitingForMe: found.waiting_for_me,
    pending: found.pending,
    sent24h: trimmed(found.sent_usd),
    processed24h: trimmed(found.processed_usd),
    failed24h: found.failed,
    limits: await limitsOf(ctx, projectId),
    paused: await pausesOf(ctx, projectId),
    shortOf: await listShortOf(ctx, projectIds),
  }
}

async function limitsOf(ctx: Context, projectId: number | null): Promise<z.output<typeof PayoutMetrics>['limits']> {
  if (projectId === null) return { hourUsed: '0.00', hourLimit: '0.00', dayUsed: '0.00', dayLimit: '0.00' }
  const { hourlyLimit, dailyLimit } = await policyOf(ctx, projectId)
  const { hourUsd, dayUsd } = await sumWindows(ctx, { projectId, now: ctx.now(), until: null, except: null })
  return {
    hourUsed: trimmed(hourUsd),
    hourLimit: usd(hourlyLimit),
    dayUsed: trimmed(dayUsd),
    dayLimit: usd(dailyLimit),
  }
}

/** What the hot wallets hold for payouts, how much of it the project may pay out, and how much open payouts hold. */
export async function payoutBalances(ctx: Context, scope: ProjectScope): Promise<PayoutBalance[]> {
  const held = await listHeld(ctx, scope.projectIds)
  const prices = await currentPrices(ctx)
  const chains = await listBlockchains(ctx)
  const isRunning = ({ blockchainId }: Asset) =>
    chains.some(({ id, status }) => id === blockchainId && status === 'active')
  const payable = (await listAssets(ctx)).filter(
    (asset) => asset.withdrawalEnabled && asset.visible && isRunning(asset),
  )
  const wallets = new Map<number, HotWallet | null>()
  for (const { blockchainId } of payable) {
    wallets.set(
      blockchainId,
      wallets.get(blockchainId) ?? (await findHotWallet(ctx, { blockchainId, purpose: 'payout' })),
    )
  }
  const floats = await listFloats(
    ctx,
    [...wallets.values()].flatMap((wallet) => wallet?.walletId ?? []),
  )
  const balances: PayoutBalance[] = []
  for (const asset of payable) {
    const wallet = wallets.get(asset.blockchainId) ?? null
    const free = (wallet && floats.get(`wallet:${wallet.walletId} ${asset.id}`)) ?? 0n
    balances.push({
      blockchainCode: asset.blockchainCode,
      currencyCode: asset.currencyCode,
      available: formatUnits(free, asset.decimals),
      payable: formatUnits(await payableOf(ctx, scope, { assetId: asset.id, free }), asset.decimals),
      priceInUSD: priceText(prices.get(asset.id)),
      held: formatUnits(held.get(asset.id) ?? 0n, asset.decimals),
      hotWalletAddress: wallet && wallet.address,
    })
  }
  return balances
}

/** What a wallet holds of assets and has not reserved, by asset. */
export async function freeFloat(ctx: Context, walletId: number): Promise<ReadonlyMap<number, bigint>> {
  const [floats, owner] = [await listFloats(ctx, [walletId]), `wallet:${walletId} `]
  return new Map([...floats].map(([key, units]) => [Number(key.slice(owner.length)), units]))
}

/** No more than the project earned, where operators set that bound; several projects together have none. */
async function payableOf(
  ctx: Context,
  { projectId }: ProjectScope,
  { assetId, free }: { readonly assetId: number; readonly free: bigint },
): Promise<bigint> {
  const most = free > 0n ? free : 0n
  if (projectId === null) return most
  const earned = await remainingEarnings(ctx, { project_id: projectId, asset_id: assetId })
  if (earned === null || earned > most) return most
  return earned > 0n ? earned : 0n
}

function priceText(price: Price | undefined): string | null {
  return price === undefined ? null : formatUnits(price, PRICE_DECIMALS)
}
