import type { Sweep } from '@kassa/contract/sweeps/schemas.ts'
import { t } from '@lingui/core/macro'

import { asRequestError } from '../../../api/request-error.ts'
import { readEverySweep, type SweepFilter } from '../../../api/sweeps.ts'
import { CsvButton, type CsvColumns } from '../../../ui/list/CsvButton.tsx'

/** Saves what the list shows, all its pages, as CSV. */
export function ExportSweeps({ projectId, filter }: { projectId: string; filter: SweepFilter }) {
  return (
    <CsvButton
      name="sweeps"
      columns={COLUMNS}
      read={() => readEverySweep(projectId, filter)}
      saved={t`Sweeps saved as CSV`}
      failureText={(thrown) => asRequestError(thrown).message}
    />
  )
}

const COLUMNS: CsvColumns<Sweep> = {
  id: ({ id }) => String(id),
  created_at: ({ createdAt }) => createdAt.toISOString(),
  network: ({ blockchainCode }) => blockchainCode,
  currency: ({ currencyCode }) => currencyCode,
  wallet: ({ walletName }) => walletName,
  addresses: ({ addressCount }) => String(addressCount),
  amount: ({ amount }) => amount,
  swept_amount: ({ sweptAmount }) => sweptAmount,
  amount_in_usd: ({ amountInUSD }) => amountInUSD ?? '',
  network_fee: ({ networkFee }) => networkFee ?? '',
  network_fee_currency: ({ networkFeeCurrency }) => networkFeeCurrency ?? '',
  network_fee_in_usd: ({ networkFeeInUSD }) => networkFeeInUSD ?? '',
  status: ({ status }) => status,
  trigger: ({ trigger }) => trigger,
  started_by: ({ startedBy }) => startedBy?.email ?? '',
  collector: ({ fundCollectorAddress }) => fundCollectorAddress,
  tx_hash: ({ txHash }) => txHash ?? '',
}
