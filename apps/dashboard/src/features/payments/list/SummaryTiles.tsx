import { msg, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'

import { paymentSummaryQuery } from '../../../api/payments.ts'
import { count } from '../../../lib/text/format.ts'
import { stringifySearch, useSearchState } from '../../../lib/navigation/search.ts'
import { PAYMENT_STATES } from '../../../labels/payment-labels.ts'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { StatTile } from '../../../ui/facts/StatTile.tsx'
import { allFields } from '../views/filter-fields.ts'
import { narrowedBy } from '../views/payment-filter.ts'
import { isAsItIs } from '../views/payment-views.ts'

const TILES = [
  { label: undefined, figure: 'totalCount', status: undefined },
  { label: msg`Paid or overpaid`, figure: 'closedCount', status: 'FILLED,OVER_FILLED' },
  { label: msg`Open or partly paid`, figure: 'openCount', status: 'OPEN,PARTIALLY_FILLED' },
  { label: PAYMENT_STATES.CANCELLED, figure: 'cancelledCount', status: 'CANCELLED' },
] as const

/** How many payments there are; each figure filters the list below it. It is left out when it cannot be read. */
export function SummaryTiles({ projectId }: { projectId: string }) {
  const { data: summary, isError } = useQuery(paymentSummaryQuery(projectId))
  const pathname = useLocation({ select: (location) => location.pathname })
  const [search] = useSearchState()
  const isNarrowed = narrowedBy(Object.values(allFields()), search).length > 0 || Boolean(search.query)
  // The figures are those of every payment: while the list holds fewer, they say so.
  const isOfTiles = TILES.some(({ status }) => isAsItIs({ id: '', name: '', search: status ? { status } : {} }, search))
  const total = isNarrowed && !isOfTiles ? t`Total, unfiltered` : t`Total`
  if (isError && summary === undefined) return null
  return (
    <nav aria-label={t`Payments by state`} className="-mx-edge mb-4 overflow-x-auto px-edge py-1 sm:-mx-1 sm:px-1">
      <ul className="flex gap-3">
        {TILES.map(({ label, figure, status }) => (
          <li key={figure} className="min-w-40 flex-1 [&>*]:h-full">
            <StatTile
              label={label === undefined ? total : t(label)}
              value={summary === undefined ? <Skeleton width={56} height={28} /> : count(summary[figure])}
              href={pathname + stringifySearch({ ...search, status, cursor: undefined, open: undefined })}
              current={search.status === status}
            />
          </li>
        ))}
      </ul>
    </nav>
  )
}
