/** What a withdrawal of rewards pays in its coin (money.md 7.4). */
import { type Price, unitsForUsd, usdForUnits } from '@kassa/primitives/money/rate.ts'

export type RewardAmount = { readonly currencyCode: string; readonly units: bigint; readonly decimals: number }

export type Coin = { readonly currencyCode: string; readonly decimals: number; readonly price: Price }

/**
 * Converts an amount of rewards into units of a coin, rounded down: never more than what is owed. The same currency is the
 * same amount whatever it costs; else both are worth what their prices say, which is one dollar for a stable currency inside
 * its peg.
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
 * Whether an earlier conversion still stands: it differs from that of now by a hundredth at most, so that what somebody is
 * reading does not change with every price.
 */
export function stillStands(earlier: bigint, now: bigint): boolean {
  const difference = earlier > now ? earlier - now : now - earlier
  return difference * 100n <= earlier
}
