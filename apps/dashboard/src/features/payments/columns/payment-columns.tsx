import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { usd } from '../../../lib/text/format.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { timeAgo } from '../../../lib/time/time.ts'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { columnsFrom } from '../../../ui/list/columns.ts'
import type { Attribute, Cell, Column } from '../../../ui/list/columns.ts'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { isSome, None } from '../../../ui/facts/None.tsx'
import { deliveryBadge } from '../../../labels/delivery-labels.ts'
import { paymentBadge, paymentChips, paymentDifference } from '../../../labels/payment-labels.ts'
import { PaymentStatus } from '../payment/PaymentStatus.tsx'
import type { PaymentStatusProps } from '../payment/PaymentStatus.tsx'

/** What is shown of the server's columns, in this order; the project only where several are listed. */
const SHOWN = ['amountInUSD', 'paymentStatus', 'email', 'currency', 'createdAt', 'filledAmountInUSD', 'webhookStatus']

/** What columns are called in the words of the rest of the screen; the wire keeps the names of the specification. */
const LABELS: Readonly<Record<string, MessageDescriptor>> = {
  projectName: msg`Project`,
  paymentStatus: msg`Status`,
  email: msg`Customer`,
  currency: msg`Asset`,
  createdAt: msg`Created`,
  updatedAt: msg`Last change`,
  filledAmountInUSD: msg`Credited in USD`,
  filledAmount: msg`Credited`,
  webhookStatus: msg`Webhook`,
}

const CELLS: Readonly<Record<string, Cell<PaymentRow>>> = {
  amountInUSD: {
    cell: ({ exact }) => <Amount value={exact.amountInUSD} currency="USD" />,
    align: 'end',
    card: 'title',
    text: ({ exact }) => usd(exact.amountInUSD),
  },
  paymentStatus: { cell: (row) => <RowStatus row={row} isOnHold={false} />, card: 'badge' },
  email: { cell: ({ email, customerId }) => <TruncatedName name={email ?? customerId} />, grows: true },
  currency: { cell: (row) => <AssetCell row={row} />, shrink: 3, text: assetText },
  createdAt: {
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
    card: 'foot',
    shrink: 4,
    text: ({ createdAt }) => timeAgo(createdAt, new Date()),
  },
  filledAmountInUSD: {
    cell: (row) => <FilledCell row={row} />,
    align: 'end',
    card: 'none',
    shrink: 1,
    text: filledText,
  },
  webhookStatus: {
    cell: (row) => <WebhookCell row={row} />,
    card: 'none',
    shrink: 2,
    text: ({ webhookStatus }) => webhookStatus ?? '',
  },
  projectName: { cell: ({ projectName }) => projectName, card: 'foot' },
}

export type ListFacts = {
  readonly hasSeveralProjects: boolean
  /** Payments some of whose money is on hold. */
  readonly onHold?: ReadonlySet<string> | undefined
  /** The columns the operator chose, in this order. */
  readonly chosen?: readonly string[] | undefined
  /** How those are drawn that can be chosen besides. */
  readonly further?: Readonly<Record<string, Cell<PaymentRow>>>
}

/** Returns the keys of the columns that are shown while the operator has chosen none. */
export function shownByItself(hasSeveralProjects: boolean): readonly string[] {
  return hasSeveralProjects ? SHOWN.toSpliced(2, 0, 'projectName') : SHOWN
}

/** Returns what a column is called here; one without a word of ours is named by the server, in sentence case. */
export function columnName({ key, displayName }: Attribute): string {
  const label = LABELS[key]
  return label === undefined ? inSentenceCase(displayName) : t(label)
}

/** "Transaction Hash" → "Transaction hash", "Invoice ID" as it is. */
function inSentenceCase(name: string): string {
  return name.replaceAll(/(?<= )\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase())
}

/** Returns the columns of the list out of those the server names. */
export function paymentColumns(
  attributes: readonly Attribute[],
  { hasSeveralProjects, onHold, chosen, further }: ListFacts,
): Column<PaymentRow>[] {
  const isOnHold = ({ referenceId }: PaymentRow) => onHold?.has(referenceId) ?? false
  const cells = {
    ...CELLS,
    ...further,
    paymentStatus: {
      ...CELLS.paymentStatus,
      cell: (row: PaymentRow) => <RowStatus row={row} isOnHold={isOnHold(row)} />,
      text: (row: PaymentRow) => statusText(row, isOnHold(row)),
    },
  }
  const named = attributes.map((attribute) => ({ ...attribute, displayName: columnName(attribute) }))
  const columns = columnsFrom(named, cells, chosen ?? shownByItself(hasSeveralProjects))
  // What an operator chose is shown, and scrolls where it must.
  return chosen === undefined ? columns : columns.map((column) => ({ ...column, shrink: undefined }))
}

/** The head under which the first rows are awaited, in the words of the server, before it has named its columns. */
export const AWAITED_ATTRIBUTES: readonly Attribute[] = [
  { key: 'projectName', displayName: 'Project Name' },
  { key: 'paymentStatus', displayName: 'Payment Status' },
  { key: 'currency', displayName: 'Currency' },
  { key: 'createdAt', displayName: 'Created At' },
  { key: 'email', displayName: 'Email' },
  { key: 'amountInUSD', displayName: 'Amount in USD' },
  { key: 'filledAmountInUSD', displayName: 'Filled Amount in USD' },
  { key: 'webhookStatus', displayName: 'Webhook Status' },
]

function statusText(row: PaymentRow, isOnHold: boolean): string {
  const { badge, difference = '', chips } = statusOf(row, isOnHold)
  return [badge.word, difference, ...chips.map(({ word }) => word)].join(' ')
}

function assetText({ network }: PaymentRow): string {
  return network === undefined ? t`Not chosen yet` : networkName(network)
}

function filledText({ exact }: PaymentRow): string {
  return isSome(exact.filledAmountInUSD) ? usd(exact.filledAmountInUSD) : ''
}

/** The badge and chips of a row. */
function RowStatus({ row, isOnHold }: { row: PaymentRow; isOnHold: boolean }) {
  return <PaymentStatus {...statusOf(row, isOnHold)} />
}

function statusOf(row: PaymentRow, isOnHold: boolean): PaymentStatusProps {
  const { fundingState, paymentStatus: state, cancelReason = null, late, exact } = row
  const facts = { state, fundingState, late, isOnHold, ...exact }
  return {
    badge: paymentBadge({ state, fundingState, cancelReason }),
    difference: paymentDifference(facts),
    chips: paymentChips(facts),
  }
}

function AssetCell({ row: { currency, network } }: { row: PaymentRow }) {
  if (currency === undefined || network === undefined)
    return (
      <span className="text-muted">
        <Trans>Not chosen yet</Trans>
      </span>
    )
  const name = networkName(network)
  return (
    <Trans>
      {currency} <span className="text-muted">on {name}</span>
    </Trans>
  )
}

function FilledCell({ row: { exact } }: { row: PaymentRow }) {
  const { filledAmountInUSD: filled } = exact
  return isSome(filled) ? <Amount value={filled} currency="USD" /> : <None />
}

function WebhookCell({ row: { webhookStatus } }: { row: PaymentRow }) {
  return webhookStatus === undefined ? <None /> : <StatusBadge {...deliveryBadge(webhookStatus)} />
}
