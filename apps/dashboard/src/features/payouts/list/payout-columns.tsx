import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'

import { deliveryBadge } from '../../../labels/delivery-labels.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { payeeName, payoutBadge, payoutType, payoutWait } from '../../../labels/payout-labels.ts'
import { shortAddress } from '../../../lib/text/format.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { None } from '../../../ui/facts/None.tsx'
import { ExplainedBadge } from '../../../ui/facts/ExplainedBadge.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'

/** What a list of payouts shows of each; the project only where several are listed. */
export function payoutColumns({ hasSeveralProjects }: { hasSeveralProjects: boolean }): Column<Withdrawal>[] {
  return [
    {
      key: 'amount',
      label: t`Amount`,
      cell: (row) => <Amount value={row.amount} currency={row.currencyCode} usd={row.amountInUSD ?? undefined} />,
      align: 'end',
      card: 'title',
      sortBy: 'amount',
    },
    { key: 'to', label: t`To`, cell: (row) => <Payee row={row} />, card: 'line', grows: true },
    { key: 'state', label: t`State`, cell: (row) => <State row={row} />, card: 'badge' },
    {
      key: 'network',
      label: t`Network`,
      cell: ({ blockchainCode }) => networkName(blockchainCode),
      card: 'foot',
      shrink: 3,
    },
    { key: 'type', label: t`Type`, cell: payoutType, card: 'none', shrink: 2 },
    ...(hasSeveralProjects
      ? [{ key: 'project', label: t`Project`, cell: projectOf, card: 'foot' as const, shrink: 4 }]
      : []),
    {
      key: 'createdBy',
      label: t`Created by`,
      cell: (row) => <TruncatedName name={creatorOf(row)} />,
      card: 'none',
      shrink: 1,
    },
    {
      key: 'created',
      label: t`Created`,
      cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
      card: 'foot',
      sortBy: 'created_at',
    },
    {
      key: 'hash',
      label: t`Hash`,
      cell: ({ txHash }) =>
        txHash === null ? <None /> : <Address value={txHash} label={t`transaction hash`} isHash />,
      card: 'none',
      shrink: 2,
    },
    { key: 'webhook', label: t`Webhook`, cell: (row) => <Webhook row={row} />, card: 'none', shrink: 1 },
  ]
}

/** Returns who asked for a payout. */
export function creatorOf({ createdBy, createdByMember }: Withdrawal): string {
  return createdByMember?.email ?? (createdBy === 'merchant_api' ? t`API key` : t`Kassa`)
}

function projectOf({ externalPlatform }: Withdrawal): string {
  return externalPlatform?.name ?? ''
}

function Payee({ row }: { row: Withdrawal }) {
  const name = payeeName(row)
  return (
    <span className="flex min-w-0 flex-col">
      {name !== undefined && <TruncatedName name={name} />}
      <span className="font-mono text-dense text-muted" title={row.toAddress}>
        {shortAddress(row.toAddress)}
      </span>
    </span>
  )
}

/** The state, and below it what the payout waits for. */
function State({ row }: { row: Withdrawal }) {
  return <ExplainedBadge badge={payoutBadge(row)} why={payoutWait(row)} />
}

function Webhook({ row: { webhookStatus } }: { row: Withdrawal }) {
  return webhookStatus === null ? <None /> : <StatusBadge {...deliveryBadge(webhookStatus)} />
}
