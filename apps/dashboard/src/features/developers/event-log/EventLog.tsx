import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { eventsQuery } from '../../../api/webhooks.ts'
import { stringifySearch, useSearchState } from '../../../lib/navigation/search.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { SearchBox } from '../../../ui/actions/SearchBox.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { Switch } from '../../../ui/fields/Switch.tsx'
import { useBufferedRows } from '../../../ui/list/useBufferedRows.ts'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { eventColumns } from './event-columns.tsx'
import type { BadgeOf } from './event-columns.tsx'
import { useLiveTail } from './useLiveTail.ts'
import type { LiveTail } from './useLiveTail.ts'
import { eventFilters } from '../choices/webhook-events.ts'

const EventDrawer = lazyLayer(async () => ({ default: (await import('./EventDrawer.tsx')).EventDrawer }))

/** Rows of one page. */
const LIMIT = 50

/** Everything that happened, newest first: what a program reads that pulls events instead of waiting for them. */
export function EventLog({ projectId, badgeOf }: { projectId: string; badgeOf: BadgeOf }) {
  const [search, setSearch] = useSearchState()
  const pathname = useLocation({ select: (location) => location.pathname })
  const tail = useLiveTail()
  const { event = '', reference = '', cursor, shown = '' } = search
  const filter = {
    limit: LIMIT,
    ...(event === '' ? {} : { types: [event] }),
    ...(reference === '' ? {} : { referenceID: reference }),
    ...(cursor === undefined ? {} : { cursor }),
  }
  const isHead = cursor === undefined
  const page = useQuery(eventsQuery(projectId, filter, isHead))
  const { rows, arrived, show } = useBufferedRows({
    fetched: page.data?.data,
    rowKey: ({ id }) => id,
    scope: JSON.stringify([projectId, filter]),
    isOwn: page.isFetchedAfterMount && !page.isPlaceholderData,
  })
  const isFlowing = tail.isOn && !tail.isPaused && shown === ''
  useEffect(() => {
    if (isFlowing && arrived > 0) show()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `show` is another function at each drawing
  }, [isFlowing, arrived])
  const opened = rows?.find(({ id }) => id === shown)
  return (
    <section aria-label={t`Event log`} className="flex flex-col gap-3" {...tail.around}>
      <DataTable
        caption={t`Events`}
        columns={eventColumns(badgeOf)}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => pathname + stringifySearch({ ...search, shown: id })}
        error={page.error === null ? null : asRequestError(page.error)}
        // A page that was removed is not read again: its list begins anew.
        onRetry={() => (isHead ? void page.refetch() : setSearch({ cursor: undefined }))}
        refreshing={page.isFetching && page.isPlaceholderData}
        news={{ arrived: isFlowing ? 0 : arrived, text: arrivedText(arrived), onShow: show }}
        toolbar={<Tools event={event} tail={isHead ? tail : undefined} />}
        empty={<NoEvents isFiltered={event !== '' || reference !== ''} />}
        paging={{
          nextCursor: page.data?.nextCursor ?? null,
          // The feed names no way back but to its newest, which is the address without a cursor.
          prevCursor: isHead ? null : '',
        }}
      />
      {opened !== undefined && (
        <Suspense>
          <EventDrawer projectId={projectId} event={opened} onClose={() => setSearch({ shown: undefined })} />
        </Suspense>
      )}
    </section>
  )
}

/** Only the newest page can follow what happens. */
function Tools({ event, tail }: { event: string; tail: LiveTail | undefined }) {
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
      {tail !== undefined && (
        <div className="ms-auto flex items-center gap-3 self-end">
          {tail.isOn && tail.isPaused && (
            <span className="text-dense text-muted">
              <Trans>Waits while you read</Trans>
            </span>
          )}
          <Switch label={t`Live`} checked={tail.isOn} onChange={tail.setOn} />
        </div>
      )}
    </>
  )
}

function NoEvents({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title={t`No event matches`} text={t`Choose all events, or another payment.`} />
  return <EmptyState title={t`Nothing has happened yet`} text={t`Make a test payment.`} />
}

function arrivedText(arrived: number): string {
  return t`${plural(arrived, { one: '# new event', other: '# new events' })}`
}
