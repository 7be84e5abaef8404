import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'

import { asApiError } from '../../api/api-error.ts'
import { eventsQuery } from '../../api/webhooks.ts'
import { stringifySearch, useSearchState } from '../../lib/search.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { Select } from '../../ui/Select.tsx'
import { eventColumns } from './event-columns.tsx'
import { EventDrawer } from './EventDrawer.tsx'
import { eventFilters } from './webhook-events.ts'

/** Rows of one page. */
const LIMIT = 50

/** Everything that happened, in its order: what a program reads that pulls events instead of waiting for them. */
export function EventLog({ projectId }: { projectId: string }) {
  const [search, setSearch] = useSearchState()
  const pathname = useLocation({ select: (location) => location.pathname })
  const { event = '', reference = '', cursor, shown = '' } = search
  const page = useQuery(
    eventsQuery(projectId, {
      limit: LIMIT,
      ...(event === '' ? {} : { types: [event] }),
      ...(reference === '' ? {} : { referenceID: reference }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  )
  const rows = page.data?.data
  const next = rows?.length === LIMIT ? page.data?.nextCursor : null
  const opened = rows?.find(({ id }) => id === shown)
  return (
    <section aria-label={t`Event log`} className="flex flex-col gap-3">
      <DataTable
        caption={t`Events`}
        columns={eventColumns()}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => pathname + stringifySearch({ ...search, shown: id })}
        error={page.error === null ? null : asApiError(page.error)}
        onRetry={() => void page.refetch()}
        refreshing={page.isFetching && page.isPlaceholderData}
        toolbar={<Filters event={event} />}
        empty={<Nothing isFiltered={event !== '' || reference !== ''} isEnd={cursor !== undefined} />}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-dense text-muted">
          {next === null && rows !== undefined
            ? t`Oldest first. New events appear here by themselves.`
            : t`Oldest first.`}
        </p>
        <div className="flex gap-2">
          {cursor !== undefined && (
            <Button onClick={() => setSearch({ cursor: undefined })}>
              <Trans>From the start</Trans>
            </Button>
          )}
          {typeof next === 'string' && (
            <Button onClick={() => setSearch({ cursor: next })}>
              <Trans>Later events</Trans>
            </Button>
          )}
        </div>
      </div>
      {opened !== undefined && <EventDrawer event={opened} onClose={() => setSearch({ shown: undefined })} />}
    </section>
  )
}

function Filters({ event }: { event: string }) {
  const [, setSearch] = useSearchState()
  return (
    <>
      <div className="w-full sm:w-56">
        <Select
          label={t`Event`}
          options={eventFilters()}
          value={event}
          onChange={(next) => setSearch({ event: next, cursor: undefined })}
        />
      </div>
      <div className="w-full self-end sm:w-auto">
        <SearchBox label={t`Reference of a payment`} placeholder={t`Reference of a payment`} param="reference" />
      </div>
    </>
  )
}

function Nothing({ isFiltered, isEnd }: { isFiltered: boolean; isEnd: boolean }) {
  if (isEnd) return <EmptyState title={t`Nothing later yet`} text={t`What happens next appears here by itself.`} />
  if (isFiltered) return <EmptyState title={t`No event matches`} text={t`Choose all events, or another payment.`} />
  return <EmptyState title={t`Nothing has happened yet`} text={t`Make a test payment.`} />
}
