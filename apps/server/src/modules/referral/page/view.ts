import type {
  Campaign,
  OwnReward,
  OwnWithdrawalRow,
  PromoterPage,
  ReferralPayout,
} from '@kassa/contract/referral/schemas.ts'

import { maskEmail } from '../../auth/passwords/service.ts'
import { currencyOf } from '../rewards/service.ts'
import type { FoundReward } from '../rewards/lists.ts'
import { amountText } from '../rewards/view.ts'

type Terms = PromoterPage['campaigns'][number]['reward']

/** A campaign as its promoters see it. */
export function campaignOfPage(campaign: Campaign): PromoterPage['campaigns'][number] {
  const { id, name, description, currencyCode, endDate } = campaign
  const reward = termsOf(campaign.rewardType, campaign.rewardValue, campaign.rewardCap)
  const inviteeReward = termsOf(campaign.inviteeRewardType, campaign.inviteeRewardValue, campaign.inviteeRewardCap)
  return {
    ...{ id, name, description, currencyCode, endDate, reward, inviteeReward },
    rewardText: reward && rewardText(reward, currencyCode),
    inviteeRewardText: inviteeReward && rewardText(inviteeReward, currencyCode),
    campaignTypePerCustomer: campaign.campaignTypePerCustomer,
    maxOccurrencesPerCustomer: campaign.maxOccurrencesPerCustomer,
    validityMonthsPerCustomer: campaign.validityMonthsPerCustomer,
  }
}

function termsOf(type: Campaign['rewardType'], value: string | null, cap: string | null): Terms {
  return type === null || value === null ? null : { type, value, cap }
}

function rewardText({ type, value, cap }: NonNullable<Terms>, currencyCode: string): string {
  if (type === 'flat_fee') return `${value} ${currencyCode}`
  return cap === null ? `${value} % of the purchase` : `${value} % of the purchase, at most ${cap} ${currencyCode}`
}

/** A reward as its owner sees it. */
export function ownReward(row: FoundReward): OwnReward {
  const left = BigInt(row.units) - BigInt(row.reversed_units)
  return {
    id: Number(row.id),
    createdAt: row.created_at,
    // A reversed reward shows what it was.
    amount: amountText(row.status === 'reversed' ? row.units : left),
    currencyCode: currencyOf(row.unit_id),
    status: row.status,
    campaign: row.campaign_name,
    referee: maskEmail(row.related_email),
  }
}

/** The coins of a withdrawal are decided at its approval. */
const UNDECIDED: ReadonlySet<ReferralPayout['status']> = new Set(['pending-approval', 'rejected'])

/** A withdrawal as its promoter sees it. */
export function ownWithdrawal(payout: ReferralPayout): OwnWithdrawalRow {
  const isDecided = !UNDECIDED.has(payout.status) && payout.approvedByMemberID !== null
  return {
    id: payout.id,
    createdAt: payout.createdAt,
    rewardAmount: payout.rewardAmount,
    rewardCurrencyCode: payout.rewardCurrencyCode,
    amount: isDecided ? payout.amount : null,
    currencyCode: payout.currencyCode,
    blockchainCode: payout.blockchainCode,
    toAddress: payout.toAddress,
    status: payout.status,
    txHash: payout.txHash,
    explorerTransaction: payout.explorerTransaction,
    reason: payout.failureReason,
  }
}
