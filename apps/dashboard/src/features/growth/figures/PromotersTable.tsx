import { promoterMachine, type PromoterStatus } from '@kassa/contract/referral/machine.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import type { ReactNode } from 'react'

import { type PromoterFilter, promotersQuery } from '../../../api/growth.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { promoterBadge } from '../../../labels/growth-labels.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { paths } from '../../../lib/paths.ts'
import { SearchBox } from '../../../ui/actions/SearchBox.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import { type ChoiceField, readChoice } from '../../../ui/filters/filter-fields.ts'
import { pageSizeOf } from '../../../ui/list/paging.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { promoterColumns } from './promoter-columns.tsx'

export type PromotersTableProps = {
  readonly projectId: string
  /** Those whom this campaign reaches. */
  readonly campaignId?: number
  /** The text of an empty table. */
  readonly empty: ReactNode
}

/** Promoters of a project, or of one campaign; a row leads to the promoter. */
export function PromotersTable({ projectId, campaignId, empty }: PromotersTableProps) {
  const [search] = useSearchState()
  const field: ChoiceField = {
    kind: 'choice',
    key: 'state',
    label: t`State`,
    options: promoterMachine.states.map((state) => ({ value: state, label: promoterBadge(state).word })),
  }
  const page = useQuery(promotersQuery(projectId, filterOf(search, field, campaignId)))
  const columns = promoterColumns({ hasSeveralProjects: projectId === ALL_PROJECTS })
  const isFiltered = (search.query ?? '') !== '' || readChoice(field, search[field.key]).length > 0
  return (
    <DataTable
      caption={t`Promoters`}
      columns={columns}
      rows={page.data?.data}
      rowKey={({ id }) => String(id)}
      rowName={({ email }) => email}
      rowHref={({ id, externalPlatformID }) => paths.promoter({ projectId: externalPlatformID, id })}
      error={page.error === null ? null : asRequestError(page.error)}
      onRetry={() => void page.refetch()}
      refreshing={page.isFetching && page.isPlaceholderData}
      toolbar={
        <>
          <SearchBox label={t`Search promoters`} placeholder={t`E-mail, reference or code`} />
          <FilterBar fields={[field]} columns={columns.map(({ label, sortBy }) => ({ label, sortBy }))} />
        </>
      }
      empty={
        isFiltered ? (
          <EmptyState
            icon={<Users aria-hidden strokeWidth={1.75} />}
            title={t`No promoter matches.`}
            text={t`Clear the search and the filters to see everybody.`}
          />
        ) : (
          empty
        )
      }
      paging={{ nextCursor: page.data?.nextCursor ?? null, total: page.data?.total, isSized: true }}
    />
  )
}

function filterOf(
  search: Readonly<Record<string, string | undefined>>,
  field: ChoiceField,
  campaignId: number | undefined,
): PromoterFilter {
  const status = readChoice(field, search[field.key]) as PromoterStatus[]
  const { query = '', cursor, sortBy, sortDirection } = search
  return {
    limit: pageSizeOf(search.limit),
    ...(query !== '' && { query }),
    ...(status.length > 0 && { status }),
    isPromoter: true,
    ...(campaignId !== undefined && { campaignIDs: [campaignId] }),
    ...(cursor !== undefined && { cursor }),
    ...(sortBy !== undefined && { sortBy }),
    ...(sortDirection !== undefined && { sortDirection }),
  }
}
