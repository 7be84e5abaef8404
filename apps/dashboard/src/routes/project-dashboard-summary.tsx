import type { PaymentSummary } from '@kassa/contract/payments/schemas.ts'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { useCan } from '../api/me.ts'
import { summaryOfDaysQuery } from '../api/payment-summary.ts'
import { narrowingOf } from '../features/payments/payment-filter.ts'
import { count } from '../lib/format.ts'
import { stringifySearch } from '../lib/search.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StatTile } from '../ui/StatTile.tsx'

const CREATED = 'last_30_days'

const TILES = [
  { label: msg`Links made`, figure: 'totalCount', status: undefined },
  { label: msg`Paid`, figure: 'closedCount', status: 'FILLED,OVER_FILLED' },
  { label: msg({ message: 'Open', context: 'state' }), figure: 'openCount', status: 'OPEN,PARTIALLY_FILLED' },
  { label: msg`Cancelled`, figure: 'cancelledCount', status: 'CANCELLED' },
] as const

/** Returns how the payments made in the last 30 days stand; nothing for those who may not read them. */
export function useRecentSummary(projectId: string) {
  const can = useCan()
  const { dateFrom, dateTo, timezone } = narrowingOf({ created: CREATED })
  const days = {
    ...(dateFrom !== undefined && { dateFrom }),
    ...(dateTo !== undefined && { dateTo }),
    ...(timezone !== undefined && { timezone }),
  }
  const { data, isLoading } = useQuery({
    ...summaryOfDaysQuery(projectId, days),
    enabled: can('payment:read', projectId),
  })
  return { summary: data, isLoading }
}

export type DashboardSummaryProps = {
  readonly projectId: string
  /** Absent while it is read. */
  readonly summary: PaymentSummary | undefined
}

/** Whether money comes in: counts of one span, each leading to the payments behind it. It compares with nothing. */
export function DashboardSummary({ projectId, summary }: DashboardSummaryProps) {
  const list = `/project/${encodeURIComponent(projectId)}/payments/allPayments`
  return (
    <section aria-labelledby="recent-summary">
      <h2 id="recent-summary" className="mb-3 text-h3 font-semibold">
        <Trans>Last 30 days</Trans>
      </h2>
      <ul className="grid grid-cols-2 gap-1.5 sm:gap-3 lg:grid-cols-4">
        {TILES.map(({ label, figure, status }) => (
          <li key={figure}>
            <StatTile
              label={t(label)}
              value={summary === undefined ? <Skeleton width={56} height={28} /> : count(summary[figure])}
              href={list + stringifySearch({ created: CREATED, status })}
            />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-dense text-muted">
        <Trans>Links made in these days, today included, and how each stands now.</Trans>
      </p>
    </section>
  )
}
