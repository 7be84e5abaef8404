import { readCause, withText } from '@kassa/contract/kit/reason.ts'
import { REWARD_REVERSALS } from '@kassa/contract/referral/reasons.ts'
import { REWARD_DECIMALS } from '@kassa/contract/referral/rewards.ts'
import type { Reward } from '@kassa/contract/referral/schemas.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import { currencyOf } from './currencies.ts'
import type { FoundReward } from './list-store.ts'

/** Millionths as decimal text. */
export function amountText(millionths: bigint | string): string {
  return formatUnits(BigInt(millionths), REWARD_DECIMALS)
}

/** A reward as the contract shows it. */
export function rewardView(row: FoundReward): Reward {
  const cause = row.reason_code === null ? null : readCause(REWARD_REVERSALS, row.reason_code, {})
  const reversal = cause && withText(REWARD_REVERSALS, cause)
  return {
    id: Number(row.id),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    project: row.project_name,
    campaignId: row.campaign_id,
    campaignName: row.campaign_name,
    currencyCode: currencyOf(row.unit_id),
    rewardedMemberID: row.referrer_id,
    rewardedMemberReferenceID: row.reference_id,
    rewardedMemberEmail: row.email,
    relatedMemberID: row.related_id,
    relatedMemberReferenceID: row.related_reference_id,
    relatedMemberEmail: row.related_email,
    memberType: row.side,
    amount: amountText(BigInt(row.units) - BigInt(row.reversed_units)),
    givenAmount: amountText(row.units),
    paidAmount: amountText(row.paid_units),
    status: row.status,
    reason: reversal?.text ?? null,
    reversal,
    referenceOfPayment: row.payment_reference,
  }
}
