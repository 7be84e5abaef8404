import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { useCan } from '../../api/me.ts'
import { paymentsQuery } from '../../api/payments.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { paths } from '../../lib/paths.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { Card } from '../../ui/places/Card.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { lazyPart } from '../../ui/overlays/lazy-load.ts'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { AWAITED_ATTRIBUTES, paymentColumns } from './columns/payment-columns.tsx'

const NoPayments = lazyPart(async () => ({ default: (await import('./list/NoPayments.tsx')).NoPayments }))

/** As many as one sees without scrolling. */
const NEWEST = 5

/** The newest payments; each opens its story on this page. `quiet` draws nothing until there is one. */
export function RecentPayments({ projectId, quiet }: { projectId: string; quiet: boolean }) {
  const can = useCan()
  const [search] = useSearchState()
  const { data, error, refetch } = useQuery({
    ...paymentsQuery(projectId, { limit: NEWEST }),
    enabled: can('payment:read', projectId),
  })
  const named = paymentColumns(data?.attributes ?? AWAITED_ATTRIBUTES, {
    hasSeveralProjects: projectId === ALL_PROJECTS,
  })
  // The newest stay the newest: this list is not sorted otherwise.
  const columns = named.map((column) => ({ ...column, sortBy: undefined }))
  if (!can('payment:read', projectId) || (quiet && (data === undefined || data.data.length === 0))) return null
  return (
    <section aria-labelledby="recent-payments">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id="recent-payments" className="text-h3 font-semibold">
          <Trans>Recent payments</Trans>
        </h2>
        <TextLink href={paths.payments({ projectId })}>
          <Trans>See all</Trans>
        </TextLink>
      </div>
      {data?.data.length === 0 ? (
        <Card flush>
          {/* As high as what comes: nothing below it jumps. */}
          <Suspense fallback={<div className="h-70" />}>
            <NoPayments projectId={projectId} canCreate={can('payment:create', projectId)} />
          </Suspense>
        </Card>
      ) : (
        <DataTable
          caption={t`Recent payments`}
          columns={columns}
          rows={data?.data}
          rowKey={({ referenceId }: PaymentRow) => referenceId}
          rowHref={({ referenceId }) => paths.dashboard({ projectId }, { ...search, open: referenceId })}
          error={error === null ? null : asRequestError(error)}
          onRetry={() => void refetch()}
          empty={null}
        />
      )}
    </section>
  )
}
