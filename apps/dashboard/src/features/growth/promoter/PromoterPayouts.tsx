import type { ReferralPayout } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'

import { promoterWithdrawalsQuery } from '../../../api/growth.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { rewardMoney } from '../../../labels/growth-labels.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { payoutBadge } from '../../../labels/payout-labels.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { None } from '../../../ui/facts/None.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'

/** What a promoter asked to be paid, newest first. */
export function PromoterPayouts({ projectId, id }: { projectId: string; id: number }) {
  const [{ cursor }] = useSearchState()
  const page = useQuery(promoterWithdrawalsQuery(projectId, id, cursor))
  return (
    <DataTable
      caption={t`Payouts`}
      columns={columns()}
      rows={page.data?.data}
      rowKey={(row) => String(row.id)}
      error={page.error === null ? null : asRequestError(page.error)}
      onRetry={() => void page.refetch()}
      refreshing={page.isFetching && page.isPlaceholderData}
      empty={
        <EmptyState
          icon={<ArrowUpRight aria-hidden strokeWidth={1.75} />}
          title={t`No payout asked for yet.`}
          text={t`The promoter asks for it on their own page.`}
        />
      }
      paging={{ nextCursor: page.data?.nextCursor ?? null, total: page.data?.total }}
    />
  )
}

function columns(): Column<ReferralPayout>[] {
  return [
    {
      key: 'amount',
      label: t`Amount`,
      card: 'title',
      align: 'end',
      cell: ({ rewardAmount, rewardCurrencyCode }) => rewardMoney(rewardAmount, rewardCurrencyCode),
    },
    { key: 'state', label: t`State`, card: 'badge', cell: (row) => <StatusBadge {...payoutBadge(row)} /> },
    {
      key: 'asset',
      label: t`Asset`,
      card: 'line',
      cell: ({ currencyCode, blockchainCode }) => `${currencyCode} · ${networkName(blockchainCode)}`,
    },
    {
      key: 'address',
      label: t`Address`,
      card: 'line',
      grows: true,
      cell: ({ toAddress }) => <Address value={toAddress} />,
    },
    {
      key: 'hash',
      label: t`Hash`,
      card: 'none',
      shrink: 1,
      cell: ({ txHash }) =>
        txHash === null ? <None /> : <Address value={txHash} label={t`transaction hash`} isHash />,
    },
    { key: 'at', label: t`Requested`, card: 'foot', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ]
}
