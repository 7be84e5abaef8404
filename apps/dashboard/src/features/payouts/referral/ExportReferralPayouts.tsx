import type { ReferralPayout } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'

import { readEveryReferralPayout, type ReferralPayoutFilter } from '../../../api/referral-payouts.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { utcIso } from '../../../lib/time/time.ts'
import { CsvButton, type CsvColumns } from '../../../ui/list/CsvButton.tsx'

type Props = { readonly projectId: string; readonly filter: ReferralPayoutFilter }

/** Saves the withdrawals of rewards that the list shows, all its pages, as CSV. */
export function ExportReferralPayouts({ projectId, filter }: Props) {
  return (
    <CsvButton
      name="referral-payouts"
      columns={COLUMNS}
      read={() => readEveryReferralPayout(projectId, filter)}
      saved={t`Referral payouts saved as CSV`}
      failureText={(thrown) => asRequestError(thrown).message}
    />
  )
}

const COLUMNS: CsvColumns<ReferralPayout> = {
  id: ({ id }) => String(id),
  project: ({ externalPlatform }) => externalPlatform?.name ?? '',
  promoter_code: ({ referrer }) => referrer.code,
  promoter_email: ({ referrer }) => referrer.email,
  status: ({ status }) => status,
  created_at: ({ createdAt }) => utcIso(createdAt),
  sent_at: ({ timestamp }) => (timestamp === null ? '' : utcIso(timestamp)),
  reward_amount: ({ rewardAmount }) => rewardAmount,
  reward_currency: ({ rewardCurrencyCode }) => rewardCurrencyCode,
  available_before: ({ availableBefore }) => availableBefore,
  amount: ({ amount }) => amount,
  currency: ({ currencyCode }) => currencyCode,
  network: ({ blockchainCode }) => blockchainCode,
  amount_in_usd: ({ amountInUSD }) => amountInUSD ?? '',
  to_address: ({ toAddress }) => toAddress,
  address_has_paid: ({ isPayerWallet }) => (isPayerWallet ? 'yes' : 'no'),
  tx_hash: ({ txHash }) => txHash ?? '',
  approved_by: ({ approvals }) => approvals.given.map(({ email }) => email).join(' '),
  rejected_by: ({ rejectedByMember }) => rejectedByMember?.email ?? '',
  failure: ({ failureReason }) => failureReason ?? '',
}
