import { ownInvoice } from '@kassa/contract/payments/invoice.ts'
import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'

import { count } from '../../../lib/text/format.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import type { Cell } from '../../../ui/list/columns.ts'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { isSome, None } from '../../../ui/facts/None.tsx'

/** Columns that are shown only where an operator chose them. */
export const FURTHER_CELLS: Readonly<Record<string, Cell<PaymentRow>>> = {
  updatedAt: { cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />, cardLabel: true },
  txHash: { cell: ({ txHash }) => <HashCell value={txHash} label={t`transaction hash`} />, cardLabel: true },
  fromAddress: { cell: ({ fromAddress }) => <HashCell value={fromAddress} label={t`address`} />, cardLabel: true },
  toAddress: { cell: ({ toAddress }) => <HashCell value={toAddress} label={t`address`} />, cardLabel: true },
  referenceId: { cell: ({ referenceId }) => <HashCell value={referenceId} label={t`reference`} />, cardLabel: true },
  invoiceId: { cell: (row) => <InvoiceCell row={row} />, cardLabel: true },
  blockId: {
    cell: ({ blockId }) => (blockId === undefined ? <None /> : count(blockId)),
    align: 'end',
    cardLabel: true,
  },
  network: { cell: ({ network }) => (network === undefined ? <None /> : networkName(network)), cardLabel: true },
  amount: {
    cell: ({ exact, currency }) => <CoinCell value={exact.amount} currency={currency} />,
    align: 'end',
    cardLabel: true,
  },
  filledAmount: {
    cell: ({ exact, currency }) => <CoinCell value={exact.filledAmount} currency={currency} />,
    align: 'end',
    cardLabel: true,
  },
  createdBy: { cell: ({ createdBy }) => (createdBy === 'user' ? t`An operator` : t`An API key`), cardLabel: true },
  trxTimestamp: {
    cell: ({ trxTimestamp }) => (trxTimestamp === undefined ? <None /> : <TimeAgo at={trxTimestamp} />),
    cardLabel: true,
  },
}

function HashCell({ value, label }: { value: string | undefined; label: string }) {
  return value === undefined ? <None /> : <Address value={value} label={label} />
}

function InvoiceCell({ row: { invoiceId: invoiceID, referenceId: referenceID } }: { row: PaymentRow }) {
  return ownInvoice({ invoiceID, referenceID }) || <None />
}

function CoinCell({ value, currency }: { value: string | undefined; currency: string | undefined }) {
  return isSome(value) && currency !== undefined ? <Amount value={value} currency={currency} /> : <None />
}
