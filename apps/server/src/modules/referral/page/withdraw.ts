import { fail } from '@kassa/contract/kit/api-error.ts'
import { REWARD_DECIMALS } from '@kassa/contract/referral/rewards.ts'
import { usd, usdOf } from '@kassa/primitives/money/usd.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

import { type Context, inTransaction, type PromoterFacts } from '../../../context.ts'
import { setting } from '../../settings/service.ts'
import { createPayout, requestOfRewards } from '../../withdrawals/payouts/service.ts'
import { lockPolicy } from '../../withdrawals/policy/service.ts'
import type { WithdrawalRow } from '../../withdrawals/record/service.ts'
import { lockReferrers } from '../referrers/service.ts'
import { findRewardCurrency, holdRewards } from '../rewards/service.ts'
import { balancesOfReferrer } from '../rewards/lists.ts'
import { useCode } from './codes.ts'

export type WithdrawalInput = {
  /** Decimal text, in the currency of the rewards. */
  readonly amount: string
  readonly rewardCurrencyCode?: string | null | undefined
  readonly currencyCode: string
  readonly blockchainCode: string
  readonly toAddress: string
}

/** The smallest withdrawal, in US dollars. */
export async function minimumWithdrawal(ctx: Context): Promise<string> {
  return usd(usdOf((await setting(ctx, 'withdrawal-payout-min-amount')) ?? '0'))
}

/**
 * Requests that rewards are paid: they are held for the promoter in this transaction, and a person approves each payout. The
 * code was checked before and is used up here.
 * @throws REFERRER_INACTIVE, OTP_INVALID, WITHDRAWAL_BELOW_MINIMUM, INSUFFICIENT_FUNDS, VALIDATION_FAILED, and as
 * `requestOfRewards` and `createPayout`
 */
export async function withdrawRewards(
  ctx: Context,
  { referrerId, projectId }: PromoterFacts,
  { input, codeId }: { readonly input: WithdrawalInput; readonly codeId: bigint },
): Promise<WithdrawalRow> {
  return inTransaction(ctx, async (tx) => {
    // Locked before the promoter, in the order of every decision about a payout (money.md 4.3).
    await lockPolicy(tx, projectId)
    const [promoter] = await lockReferrers(tx, [referrerId])
    if (promoter?.status !== 'active') return fail('REFERRER_INACTIVE')
    await useCode(tx, codeId)
    const { unitId, code, ready } = await sourceOf(tx, referrerId, input.rewardCurrencyCode)
    const units = unitsOf(input.amount)
    const minimum = await minimumWithdrawal(tx)
    // Every currency of rewards counts one to one with the dollar.
    if (units < usdOf(minimum)) return fail('WITHDRAWAL_BELOW_MINIMUM', { values: { amount: `$${minimum}` } })
    if (units > ready) {
      const amount = formatUnits(ready, REWARD_DECIMALS)
      return fail('INSUFFICIENT_FUNDS', { values: { amount, currency: code }, data: { amount, currencyCode: code } })
    }
    const request = await requestOfRewards(tx, projectId, {
      ...input,
      promoter: { email: promoter.email, code: promoter.code },
      reward: { referrerId, unitId, units, ready },
    })
    const row = await createPayout(tx, request)
    await holdRewards(tx, { referrerId, unitId, units, withdrawalId: row.id })
    return row
  })
}

/** Reads an amount; zeros may follow its last decimal. */
function unitsOf(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return parseUnits(fraction === '' ? whole : `${whole}.${fraction.slice(0, REWARD_DECIMALS)}`, REWARD_DECIMALS)
}

/** The currency of the rewards to take: the named one, else the one of which most is ready. */
async function sourceOf(tx: Context, referrerId: number, named: string | null | undefined) {
  const balances = await balancesOfReferrer(tx, referrerId)
  if (named) {
    const currency = findRewardCurrency(named.toUpperCase())
    const message = 'Nobody is rewarded in this currency'
    if (!currency) return fail('VALIDATION_FAILED', { message, fields: { rewardCurrencyCode: message } })
    const { unitId, code } = currency
    return { unitId, code, ready: balances.find((one) => one.unitId === unitId)?.available ?? 0n }
  }
  const [most] = balances.toSorted((a, b) => (a.available < b.available ? 1 : a.available > b.available ? -1 : 0))
  if (!most) return fail('INSUFFICIENT_FUNDS', { values: { amount: '0', currency: 'USD' } })
  return { unitId: most.unitId, code: most.currencyCode, ready: most.available }
}
