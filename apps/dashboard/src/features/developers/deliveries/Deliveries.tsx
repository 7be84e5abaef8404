import type { Delivery, Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { deliveriesQuery } from '../../../api/webhooks.ts'
import { useIsNarrow } from '../../../lib/device/media.ts'
import { stringifySearch, useSearchState } from '../../../lib/navigation/search.ts'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { deliveryColumns } from './delivery-columns.tsx'
import { deliveryFilter, isNarrowed } from './delivery-filter.ts'
import { DeliveryFilters } from './DeliveryFilters.tsx'
import { ExportDeliveries } from './ExportDeliveries.tsx'

const DeliveryDrawer = lazyLayer(async () => ({ default: (await import('./DeliveryDrawer.tsx')).DeliveryDrawer }))

export type DeliveriesProps = {
  readonly projectId: string
  readonly webhooks: readonly Webhook[]
  /** Narrows the list to one. */
  readonly endpoint?: Webhook
}

/** Every message to the endpoints, newest first; its filters and the open message stand in the address. */
export function Deliveries({ projectId, webhooks, endpoint }: DeliveriesProps) {
  const [search, setSearch] = useSearchState()
  const isNarrow = useIsNarrow()
  const pathname = useLocation({ select: (location) => location.pathname })
  const { cursor, delivery = '' } = search
  const filter = deliveryFilter(search, new Date())
  const page = useQuery(deliveriesQuery(projectId, endpoint?.id, filter))
  const rows = page.data?.data
  const at = rows?.findIndex((row) => deliveryKey(row) === delivery) ?? -1
  const show = (row: Delivery | undefined) =>
    row === undefined ? undefined : () => setSearch({ delivery: deliveryKey(row) }, { replace: true })

  return (
    <section aria-label={t`Deliveries`} className={endpoint === undefined ? 'mt-2' : ''}>
      {endpoint === undefined && (
        <h2 className="mb-3 text-h3 font-semibold">
          <Trans>Deliveries</Trans>
        </h2>
      )}
      <DataTable
        caption={t`Deliveries`}
        columns={deliveryColumns(webhooks, isNarrow)}
        rows={rows}
        rowKey={deliveryKey}
        rowHref={(row) => pathname + stringifySearch({ ...search, delivery: deliveryKey(row), panel: undefined })}
        error={page.error === null ? null : asRequestError(page.error)}
        onRetry={() => void page.refetch()}
        refreshing={page.isFetching && page.isPlaceholderData}
        toolbar={
          <>
            <DeliveryFilters endpoint={endpoint} />
            {rows !== undefined && rows.length > 0 && (
              <ExportDeliveries {...{ projectId, webhooks, endpoint, filter }} />
            )}
          </>
        }
        empty={<NoDeliveries isFiltered={isNarrowed(search)} />}
        paging={{
          total: page.data?.total,
          nextCursor: page.data?.nextCursor ?? null,
          // The list names no way back but to its start, which is the address without a cursor.
          prevCursor: cursor === undefined ? null : '',
        }}
      />
      {delivery !== '' && (
        <Suspense>
          <DeliveryDrawer
            projectId={projectId}
            reference={delivery}
            webhooks={webhooks}
            onPrevious={show(rows?.[at - 1])}
            onNext={at === -1 ? undefined : show(rows?.[at + 1])}
            onClose={() => setSearch({ delivery: undefined, panel: undefined })}
          />
        </Suspense>
      )}
    </section>
  )
}

/** Names a delivery in the address: its endpoint, then its own id. */
function deliveryKey({ webhookID, deliveryID }: Delivery): string {
  return `${webhookID}-${deliveryID}`
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title={t`No delivery matches`} text={t`Clear the filters to see more.`} />
  ) : (
    <EmptyState
      title={t`Nothing was sent yet`}
      text={t`The first message leaves when a payment sees its first transfer.`}
    />
  )
}
