import type { Sweep } from '@kassa/contract/sweeps/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { readEverySweep, type SweepFilter } from '../../../api/sweeps.ts'
import { csvLine } from '../../../lib/csv.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

/** Saves what the list shows, all its pages, as CSV. */
export function ExportSweeps({ projectId, filter }: { projectId: string; filter: SweepFilter }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const rows = await readEverySweep(projectId, filter)
      const text = csvLine(Object.keys(COLUMNS)) + rows.map((row) => csvLine(cellsOf(row))).join('')
      saveFile(new Blob([text], { type: 'text/csv' }), `sweeps-${new Date().toISOString().slice(0, 10)}.csv`)
      toast.success(t`Sweeps saved as CSV`)
    } catch (thrown) {
      toast.error(asRequestError(thrown).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={<Download aria-hidden strokeWidth={1.75} />} loading={isBusy} onClick={() => void save()}>
      <Trans>Export</Trans>
    </Button>
  )
}

/** The columns of the file; programs read their names, so they are not translated. */
const COLUMNS = {
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
} as const satisfies Readonly<Record<string, (row: Sweep) => string>>

function cellsOf(row: Sweep): string[] {
  return Object.values(COLUMNS).map((cell) => cell(row))
}
