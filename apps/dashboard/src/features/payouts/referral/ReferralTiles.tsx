import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { referralPayoutMetricsQuery } from '../../../api/referral-payouts.ts'
import { count, usd } from '../../../lib/text/format.ts'
import { StatTile } from '../../../ui/facts/StatTile.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'

/** How many promoters wait for their money, what they were paid of late, and what failed. */
export function ReferralTiles({ projectId }: { projectId: string }) {
  const { data, isError } = useQuery(referralPayoutMetricsQuery(projectId))
  if (isError && data === undefined) return null
  const shown = (value: string | undefined) => value ?? <Skeleton width={56} height={28} />
  const tiles = [
    { label: t`Waiting`, value: shown(data && count(data.waiting)) },
    { label: t`Paid in 30 days`, value: shown(data && usd(data.processed30d)) },
    { label: t`Failed in 30 days`, value: shown(data && count(data.failed30d)) },
  ]
  return (
    <ul aria-label={t`Figures of referral payouts`} className="mb-4 figures gap-1.5 sm:grid-cols-3 sm:gap-3">
      {tiles.map((tile) => (
        <li key={tile.label} className="flex *:flex-1">
          <StatTile {...tile} />
        </li>
      ))}
    </ul>
  )
}
