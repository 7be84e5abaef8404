/** How much a campaign gives, in millionths of its currency: the engine pays by it, the wizard shows its examples with it. */
import type { RewardType } from './machine.ts'

/** What one side gets. `value`: millionths of the currency, or of a percent. `cap`: millionths of the currency. */
export type RewardTerms = { readonly type: RewardType; readonly value: bigint; readonly cap: bigint | null }

/** Decimals of every amount of the programme. */
export const REWARD_DECIMALS = 6

/** 100 % in millionths of a percent. */
export const WHOLE = 100n * 10n ** BigInt(REWARD_DECIMALS)

/**
 * Returns the reward for one set of events, rounded down to a millionth and clipped to the cap; `amount` is that of the
 * payment event, null where the set has none.
 */
export function rewardFor({ type, value, cap }: RewardTerms, amount: bigint | null): bigint {
  const full = type === 'flat_fee' ? value : ((amount ?? 0n) * value) / WHOLE
  return cap !== null && full > cap ? cap : full
}
