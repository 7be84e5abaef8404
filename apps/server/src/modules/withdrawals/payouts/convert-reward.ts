import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Price, PRICE_DECIMALS, usdForUnits } from '@kassa/primitives/money/rate.ts'
import { usd } from '@kassa/primitives/money/usd.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { type Asset, getAsset } from '../../blockchains/chains/service.ts'
import { currentPrice } from '../../prices/service.ts'
import { rewardsOwedBack } from '../record/rewards-owed.ts'
import { digestOfPayout, type WithdrawalRow } from '../record/service.ts'
import { findReferrerStatus, findUnit, updateWithdrawal } from '../record/store.ts'
import { coinUnits, type RewardAmount, stillStands } from './rules.ts'

/** What a withdrawal of rewards takes, and from whom. */
export type RewardClaim = { readonly referrerId: number; readonly unitId: number; readonly units: bigint }

/** What a payout pays, at current prices. */
export type Priced = { readonly units: bigint; readonly price: Price; readonly amountUsd: string }

const DOLLAR = parseUnits('1', PRICE_DECIMALS)

/**
 * Converts rewards into a coin at current median prices. @throws RATE_UNAVAILABLE, AMOUNT_OUT_OF_RANGE when the amount is too
 * small
 */
export async function convertReward(ctx: Context, claim: RewardClaim, asset: Asset): Promise<Priced> {
  const unit = await findUnit(ctx, claim.unitId)
  const { price } = (await currentPrice(ctx, asset)) ?? fail('RATE_UNAVAILABLE')
  const reward = { currencyCode: unit.currency_code, decimals: unit.decimals, units: claim.units }
  const units = coinUnits(reward, await priceOf(ctx, reward, asset, price), { ...asset, price })
  if (units === 0n) {
    const min = `${formatUnits(1n, asset.decimals)} ${asset.currencyCode}`
    return fail('AMOUNT_OUT_OF_RANGE', { values: { min, max: 'any amount' } })
  }
  return { units, price, amountUsd: dollars(units, price, asset) }
}

/** The value of units of an asset in dollars, rounded up. */
export function dollars(units: bigint, price: Price, { decimals }: Pick<Asset, 'decimals'>): string {
  return usd(usdForUnits({ units, price, decimals, rounding: 'up' }))
}

/** Rewards are owed in dollars and in stable currencies only. */
async function priceOf(ctx: Context, { currencyCode }: RewardAmount, asset: Asset, price: Price): Promise<Price> {
  if (currencyCode === 'USD') return DOLLAR
  if (currencyCode === asset.currencyCode) return price
  return ((await currentPrice(ctx, { currencyCode, isStable: true })) ?? fail('RATE_UNAVAILABLE')).price
}

/**
 * A payout that is about to be approved, at current prices: where the price has moved, a payout of rewards is converted
 * again, which changes its bytes. Call it with the payout locked.
 * @throws REFERRER_INACTIVE, REWARDS_OWED_BACK, RATE_UNAVAILABLE, AMOUNT_OUT_OF_RANGE
 */
export async function convertedNow(tx: Context, row: WithdrawalRow): Promise<WithdrawalRow> {
  const claim = claimOf(row)
  if (claim === null) return row
  if ((await findReferrerStatus(tx, claim.referrerId)) !== 'active') return fail('REFERRER_INACTIVE')
  await requireNothingOwed(tx, claim)
  const { units, price, amountUsd } = await convertReward(tx, claim, await getAsset(tx, row.asset_id))
  if (stillStands(BigInt(row.units), units)) return row
  return updateWithdrawal(tx, row.id, {
    units: String(units),
    price_usd: formatUnits(price, PRICE_DECIMALS),
    amount_usd: amountUsd,
    digest: digestOfPayout({ ...row, units: String(units) }),
  })
}

/** Refuses to pay rewards whose sales were reversed since they were asked for. @throws REWARDS_OWED_BACK */
async function requireNothingOwed(tx: Context, claim: RewardClaim): Promise<void> {
  const owed = await rewardsOwedBack(tx, claim)
  if (owed === 0n) return
  const { currency_code: currencyCode, decimals } = await findUnit(tx, claim.unitId)
  const amount = formatUnits(owed, decimals)
  fail('REWARDS_OWED_BACK', { values: { amount, currency: currencyCode }, data: { amount, currencyCode } })
}

function claimOf({ referrer_id: referrerId, reward_unit_id: unitId, reward_units: units }: WithdrawalRow) {
  if (referrerId === null || unitId === null || units === null) return null
  return { referrerId, unitId, units: BigInt(units) }
}
