import type { ReferralEvent } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Plus, Radio } from 'lucide-react'
import { Suspense, useState } from 'react'

import { referralEventsQuery } from '../../../api/growth.ts'
import { useCan } from '../../../api/me.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { stringifySearch, useSearchState } from '../../../lib/navigation/search.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { eventColumns } from './event-columns.tsx'

const NewEventDialog = lazyLayer(async () => ({ default: (await import('./EventDialog.tsx')).NewEventDialog }))
const EventDrawer = lazyLayer(async () => ({ default: (await import('./EventDrawer.tsx')).EventDrawer }))

/** What a shop reports, and what Kassa reports itself. */
export function EventList({ projectId }: { projectId: string }) {
  const mayWrite = useCan()('referral:write', projectId) && projectId !== ALL_PROJECTS
  const [search, setSearch] = useSearchState()
  const pathname = useLocation({ select: (location) => location.pathname })
  const { data: events, error, refetch } = useQuery(referralEventsQuery(projectId))
  const [isAdding, setAdding] = useState(false)
  const open = events?.find(({ id }) => String(id) === search.open)
  const add = mayWrite && (
    <Button icon={<Plus aria-hidden strokeWidth={2} />} onClick={() => setAdding(true)}>
      <Trans>New event</Trans>
    </Button>
  )
  return (
    <>
      <DataTable
        caption={t`Events`}
        columns={eventColumns().filter(({ key }) => key !== 'project' || projectId === ALL_PROJECTS)}
        rows={events}
        rowKey={({ id }) => String(id)}
        rowName={({ key }: ReferralEvent) => key}
        rowHref={({ id }) => pathname + stringifySearch({ ...search, open: String(id) })}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        toolbar={add}
        empty={
          <EmptyState
            icon={<Radio aria-hidden strokeWidth={1.75} />}
            title={t`No events.`}
            text={t`An event is something your shop tells us, such as first_purchase.`}
          />
        }
      />
      <Suspense>
        {isAdding && <NewEventDialog projectId={projectId} onClose={() => setAdding(false)} />}
        {open !== undefined && (
          <EventDrawer event={open} onClose={() => setSearch({ open: undefined, cursor: undefined })} />
        )}
      </Suspense>
    </>
  )
}
