import type { ReferralPayout } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { networkName } from '../../../labels/networks/network-name.ts'
import { payoutBadge, payoutWait, payoutWaitNext } from '../../../labels/payout-labels.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'

/** What may be done about a payout; undefined where nothing may be. */
export type Decide = (
  payout: ReferralPayout,
) => { readonly approve: () => void; readonly reject: () => void } | undefined

/** What the list of withdrawals of rewards shows of each. */
export function referralPayoutColumns({
  hasSeveralProjects,
  decide,
}: {
  readonly hasSeveralProjects: boolean
  readonly decide: Decide
}): Column<ReferralPayout>[] {
  return [
    {
      key: 'promoter',
      label: t`Promoter`,
      cell: ({ referrer }) => (
        <span className="flex min-w-0 flex-col">
          <TruncatedName name={referrer.email} />
          <span className="font-mono text-dense text-muted">{referrer.code}</span>
        </span>
      ),
      card: 'line',
      grows: true,
    },
    {
      key: 'amount',
      label: t`Amount`,
      cell: (row) => <Amount value={row.rewardAmount} currency={row.rewardCurrencyCode} />,
      align: 'end',
      card: 'title',
      sortBy: 'amount',
    },
    {
      key: 'asset',
      label: t`Paid as`,
      cell: (row) => (
        <span className="flex flex-col">
          <Amount value={row.amount} currency={row.currencyCode} />
          <span className="text-dense text-muted">{networkName(row.blockchainCode)}</span>
        </span>
      ),
      card: 'foot',
      shrink: 2,
    },
    { key: 'address', label: t`Address`, cell: (row) => <To row={row} />, card: 'foot' },
    {
      key: 'before',
      label: t`Available before`,
      cell: (row) => <Amount value={row.availableBefore} currency={row.rewardCurrencyCode} />,
      align: 'end',
      card: 'none',
      shrink: 1,
    },
    ...(hasSeveralProjects
      ? [
          {
            key: 'project',
            label: t`Project`,
            cell: ({ externalPlatform }: ReferralPayout) => externalPlatform?.name ?? '',
            card: 'foot' as const,
            shrink: 4,
          },
        ]
      : []),
    {
      key: 'created',
      label: t`Requested`,
      cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
      card: 'foot',
      sortBy: 'created_at',
    },
    {
      key: 'state',
      label: t`State`,
      cell: (row) => <State row={row} decision={decide(row)} />,
      card: 'badge',
    },
  ]
}

function To({ row }: { row: ReferralPayout }) {
  return (
    <span className="flex min-w-0 flex-col items-start">
      <Address value={row.toAddress} />
      {row.isPayerWallet && (
        <span className="text-dense font-medium whitespace-normal text-warning-text">
          <Trans>A customer they referred paid from here</Trans>
        </span>
      )}
    </span>
  )
}

function State({ row, decision }: { row: ReferralPayout; decision: ReturnType<Decide> }) {
  const [wait, next] = [payoutWait(row), payoutWaitNext(row)]
  return (
    <span className="flex flex-col items-start gap-1.5 sm:py-2">
      <StatusBadge {...payoutBadge(row)} />
      {wait !== undefined && <span className="text-dense whitespace-normal text-muted">{wait}</span>}
      {next !== undefined && <span className="text-dense font-medium whitespace-normal text-warning-text">{next}</span>}
      {row.failureReason !== null && (
        <span className="text-dense whitespace-normal text-muted">{row.failureReason}</span>
      )}
      {decision !== undefined && (
        <span className="flex flex-wrap gap-2 sm:flex-nowrap">
          <Button size="small" onClick={decision.approve}>
            <Trans>Approve</Trans>
          </Button>
          <Button size="small" onClick={decision.reject}>
            <Trans>Reject</Trans>
          </Button>
        </span>
      )}
    </span>
  )
}
