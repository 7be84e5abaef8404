import type { PaymentSummary } from '@kassa/contract/payments/schemas.ts'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { meQuery, useCan } from '../api/me.ts'
import { summaryOfDaysQuery } from '../api/payment-summary.ts'
import { narrowingOf } from '../features/payments/views/payment-filter.ts'
import { paths } from '../lib/paths.ts'
import { count } from '../lib/text/format.ts'
import { Button } from '../ui/actions/Button.tsx'
import { Skeleton } from '../ui/feedback/Skeleton.tsx'
import { StatTile } from '../ui/facts/StatTile.tsx'

const CREATED = 'last_30_days'

const TILES = [
  { label: msg`Links created`, figure: 'totalCount', status: undefined },
  { label: msg`Paid`, figure: 'closedCount', status: 'FILLED,OVER_FILLED' },
  { label: msg({ message: 'Open', context: 'state' }), figure: 'openCount', status: 'OPEN,PARTIALLY_FILLED' },
  { label: msg`Cancelled`, figure: 'cancelledCount', status: 'CANCELLED' },
] as const

export type RecentSummary = {
  readonly summary: PaymentSummary | undefined
  readonly isLoading: boolean
  /** Absent unless it failed. */
  readonly retry?: () => void
}

/** Returns how the payments made in the last 30 days stand; nothing for those who may not read them. */
export function useRecentSummary(projectId: string): RecentSummary {
  const can = useCan()
  const { data: me } = useQuery(meQuery)
  const { dateFrom, dateTo, timezone } = narrowingOf({ created: CREATED })
  const days = {
    ...(dateFrom !== undefined && { dateFrom }),
    ...(dateTo !== undefined && { dateTo }),
    ...(timezone !== undefined && { timezone }),
  }
  const { data, isLoading, isError, refetch } = useQuery({
    ...summaryOfDaysQuery(projectId, days),
    enabled: can('payment:read', projectId),
  })
  return {
    summary: data,
    isLoading: isLoading || me === undefined,
    ...(isError && { retry: () => void refetch() }),
  }
}

export type DashboardSummaryProps = { readonly projectId: string; readonly recent: RecentSummary }

/** Whether money comes in: counts of one span, each leading to the payments behind it. It compares with nothing. */
export function DashboardSummary({ projectId, recent: { summary, isLoading, retry } }: DashboardSummaryProps) {
  if (summary === undefined && !isLoading && retry === undefined) return null
  return (
    <section aria-labelledby="recent-summary">
      <h2 id="recent-summary" className="mb-3 text-h3 font-semibold">
        <Trans>Last 30 days</Trans>
      </h2>
      {summary === undefined && retry !== undefined ? (
        <p role="alert" className="flex flex-wrap items-center gap-3 text-body text-muted">
          <Trans>These figures couldn’t be loaded.</Trans>
          <Button size="small" onClick={retry}>
            <Trans>Try again</Trans>
          </Button>
        </p>
      ) : (
        <Figures projectId={projectId} summary={summary} />
      )}
    </section>
  )
}

function Figures({ projectId, summary }: { projectId: string; summary: PaymentSummary | undefined }) {
  return (
    <>
      <ul className="figures gap-1.5 sm:gap-3 lg:grid-cols-4">
        {TILES.map(({ label, figure, status }) => (
          <li key={figure}>
            <StatTile
              label={t(label)}
              value={summary === undefined ? <Skeleton width={56} height={28} /> : count(summary[figure])}
              href={paths.payments({ projectId }, { created: CREATED, status })}
            />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-dense text-muted">
        <Trans>Links created in these days, today included, and how each stands now.</Trans>
      </p>
    </>
  )
}
