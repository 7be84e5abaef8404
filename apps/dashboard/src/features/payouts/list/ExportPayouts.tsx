import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { t } from '@lingui/core/macro'

import { type PayoutFilter, readEveryPayout } from '../../../api/payouts.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { utcIso } from '../../../lib/time/time.ts'
import { CsvButton, type CsvColumns } from '../../../ui/list/CsvButton.tsx'

type Props = {
  readonly projectId: string
  readonly filter: PayoutFilter
}

/** Saves the payouts that the list shows, all its pages, as CSV. */
export function ExportPayouts({ projectId, filter }: Props) {
  return (
    <CsvButton
      name="payouts"
      columns={COLUMNS}
      read={() => readEveryPayout(projectId, filter)}
      saved={t`Payouts saved as CSV`}
      failureText={(thrown) => asRequestError(thrown).message}
    />
  )
}

const COLUMNS: CsvColumns<Withdrawal> = {
  id: ({ id }) => String(id),
  project: ({ externalPlatform }) => externalPlatform?.name ?? '',
  type: ({ type }) => type,
  status: ({ status }) => status,
  created_at: ({ createdAt }) => utcIso(createdAt),
  sent_at: ({ timestamp }) => (timestamp === null ? '' : utcIso(timestamp)),
  amount: ({ amount }) => amount,
  currency: ({ currencyCode }) => currencyCode,
  network: ({ blockchainCode }) => blockchainCode,
  amount_in_usd: ({ amountInUSD }) => amountInUSD ?? '',
  network_fee: ({ fee }) => fee ?? '',
  network_fee_currency: ({ fee, blockchainCode }) =>
    fee === null ? '' : (findBlockchain(blockchainCode)?.nativeCurrency ?? ''),
  recipient: ({ recipientName }) => recipientName ?? '',
  recipient_email: ({ recipientEmail }) => recipientEmail ?? '',
  to_address: ({ toAddress }) => toAddress,
  from_address: ({ fromAddress }) => fromAddress ?? '',
  tx_hash: ({ txHash }) => txHash ?? '',
  created_by: ({ createdBy, createdByMember }) => createdByMember?.email ?? createdBy,
  approved_by: ({ approvals }) => approvals.given.map(({ email }) => email).join(' '),
  rejected_by: ({ rejectedByMember }) => rejectedByMember?.email ?? '',
  refund_of: ({ refundOfReferenceID }) => refundOfReferenceID ?? '',
  reference: ({ clientReference }) => clientReference ?? '',
  note: ({ note }) => note,
  failure: ({ failureReason }) => failureReason ?? '',
  webhook_status: ({ webhookStatus }) => webhookStatus ?? '',
}
