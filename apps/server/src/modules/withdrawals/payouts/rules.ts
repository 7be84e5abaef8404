/** What a withdrawal of rewards pays in its coin (money.md 7.4). */
import { type Price, unitsForUsd, usdForUnits } from '@kassa/primitives/money/rate.ts'

export type RewardAmount = { readonly currencyCode: string; readonly units: bigint; readonly decimals: number }

export type Coin = { readonly currencyCode: string; readonly decimals: number; readonly price: Price }

/**
 * Converts an amount of rewards into units of a coin, rounded down so that it never exceeds what is owed. In the same currency
 * the amount stays the same; else prices convert it, where a stable currency inside its peg counts as one dollar.
 */
export function coinUnits(reward: RewardAmount, rewardPrice: Price, coin: Coin): bigint {
  if (reward.currencyCode === coin.currencyCode) {
    return (reward.units * 10n ** BigInt(coin.decimals)) / 10n ** BigInt(reward.decimals)
  }
  const { units, decimals } = reward
  const usd = usdForUnits({ units, price: rewardPrice, decimals, rounding: 'down' })
  return unitsForUsd({ usd, price: coin.price, decimals: coin.decimals, step: 1n, rounding: 'down' })
}

/**
 * Whether an earlier conversion still stands: it differs from a current one by at most a hundredth, so that what somebody is
 * reading does not change with every price.
 */
export function stillStands(earlier: bigint, now: bigint): boolean {
  const difference = earlier > now ? earlier - now : now - earlier
  return difference * 100n <= earlier
}
