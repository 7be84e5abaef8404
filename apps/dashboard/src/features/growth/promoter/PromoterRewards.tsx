import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Gift } from 'lucide-react'

import { promoterRewardsQuery } from '../../../api/growth.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { rewardColumns } from '../campaign/reward-columns.tsx'

/** What a promoter earned, newest first; a reward that was taken back names the reason. */
export function PromoterRewards({ projectId, id }: { projectId: string; id: number }) {
  const [{ cursor }] = useSearchState()
  const page = useQuery(promoterRewardsQuery(projectId, id, cursor))
  return (
    <DataTable
      caption={t`Rewards`}
      columns={rewardColumns({ projectId, of: 'promoter' })}
      rows={page.data?.data}
      rowKey={(row) => String(row.id)}
      error={page.error === null ? null : asRequestError(page.error)}
      onRetry={() => void page.refetch()}
      refreshing={page.isFetching && page.isPlaceholderData}
      empty={
        <EmptyState
          icon={<Gift aria-hidden strokeWidth={1.75} />}
          title={t`Nothing earned yet.`}
          text={t`The first reward appears after an invited customer’s payment is final.`}
        />
      }
      paging={{ nextCursor: page.data?.nextCursor ?? null, total: page.data?.total }}
    />
  )
}
