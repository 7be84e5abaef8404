import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { eventLogsQuery } from '../../../api/growth.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { eventLogColumns } from './event-columns.tsx'

export type EventLogsProps = {
  readonly projectId: string
  /** Those of one event, or those that count for one campaign. */
  readonly eventKey?: string
  readonly campaignID?: number
  /** The newest alone, without pages. */
  readonly limit?: number
}

/** What was reported, newest first, and what each campaign made of it. */
export function EventLogs({ projectId, eventKey, campaignID, limit }: EventLogsProps) {
  const [search] = useSearchState()
  const isPaged = limit === undefined
  const page = useQuery(
    eventLogsQuery(projectId, {
      limit: limit ?? 25,
      ...(eventKey !== undefined && { eventKey }),
      ...(campaignID !== undefined && { campaignID }),
      ...(isPaged && search.cursor !== undefined && { cursor: search.cursor }),
    }),
  )
  return (
    <DataTable
      caption={t`Reported events`}
      columns={eventLogColumns({ hasKey: eventKey === undefined })}
      rows={page.data?.data}
      rowKey={({ id }) => String(id)}
      error={page.error === null ? null : asRequestError(page.error)}
      onRetry={() => void page.refetch()}
      refreshing={page.isFetching && page.isPlaceholderData}
      {...(isPaged && { paging: { nextCursor: page.data?.nextCursor ?? null, total: page.data?.total } })}
      empty={
        <EmptyState
          title={t`Nothing reported yet.`}
          text={t`It appears here as soon as it happens, with what each campaign made of it.`}
        />
      }
    />
  )
}
