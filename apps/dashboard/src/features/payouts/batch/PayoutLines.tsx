import { t } from '@lingui/core/macro'

import { networkName } from '../../../labels/networks/network-name.ts'
import { assetAmount, count } from '../../../lib/text/format.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import type { CheckedLine } from './payout-rows.ts'

/** The lines as they were understood, each with what is wrong in it. */
export function PayoutLines({ lines }: { lines: readonly CheckedLine[] }) {
  return (
    <DataTable
      caption={t`Payouts in the file`}
      columns={columns()}
      rows={lines}
      rowKey={({ line }) => String(line)}
      empty={null}
    />
  )
}

function columns(): Column<CheckedLine>[] {
  return [
    {
      key: 'amount',
      label: t`Amount`,
      card: 'title',
      cell: ({ amount, values }) => (
        <span className="tabular-nums">{/\d/.test(amount) ? amountText(amount, values.currency) : values.amount}</span>
      ),
    },
    {
      key: 'recipient',
      label: t`To`,
      cell: ({ recipient, values }) =>
        recipient === undefined ? (
          values.recipient
        ) : (
          // The review shows it in full; here the line to correct stays in sight.
          <Address value={recipient.address} name={recipient.name} withCopy={false} />
        ),
    },
    {
      key: 'network',
      label: t`Network`,
      cell: ({ recipient, values }) =>
        recipient === undefined ? values.network : networkName(recipient.blockchainCode),
    },
    { key: 'reference', label: t`Reference`, cell: ({ values }) => values.reference },
    {
      key: 'problems',
      label: t`What is wrong`,
      grows: true,
      cell: ({ problems }) =>
        problems.length === 0 ? (
          <span className="text-muted">{t`No problem`}</span>
        ) : (
          <span className="whitespace-normal text-danger-text">{problems.join('. ')}</span>
        ),
    },
    { key: 'line', label: t`Line`, align: 'end', card: 'foot', cardLabel: true, cell: ({ line }) => count(line) },
  ]
}

/** What cannot be read as an amount stays as it was written. */
function amountText(amount: string, currency: string): string {
  return /^\d+(\.\d+)?$/.test(amount) ? assetAmount(amount, currency.toUpperCase()) : amount
}
