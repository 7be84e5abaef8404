import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { payoutMetricsQuery } from '../../../api/payouts.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { paths } from '../../../lib/paths.ts'
import { count, usd } from '../../../lib/text/format.ts'
import { StatTile } from '../../../ui/facts/StatTile.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'

/** Waiting, sent and failed payouts of a day, and the used part of the day's limit; left out where it cannot be read. */
export function PayoutTiles({ projectId }: { projectId: string }) {
  const { data, isError } = useQuery(payoutMetricsQuery(projectId))
  if (isError && data === undefined) return null
  const shown = (value: string | undefined) => value ?? <Skeleton width={56} height={28} />
  const limits = data?.limits
  const dayLimit = limits && usd(limits.dayLimit)
  const tiles: { label: string; value: ReactNode; note?: string; href?: string }[] = [
    {
      label: t`Waiting`,
      value: shown(data && count(data.pendingApproval + data.pending)),
      ...(data && { note: t`${count(data.pendingApproval)} need approval` }),
      href: paths.payouts({ view: 'waiting' }),
    },
    {
      label: t`Sent in 24 hours`,
      value: shown(data && usd(data.sent24h)),
      ...(data && { note: t`${usd(data.processed24h)} of it final` }),
    },
    {
      label: t`Failed in 24 hours`,
      value: shown(data && count(data.failed24h)),
      href: paths.payouts({ view: 'failed' }),
    },
    ...(projectId === ALL_PROJECTS
      ? []
      : [
          {
            label: t`Daily limit used`,
            value: shown(limits && usd(limits.dayUsed)),
            ...(dayLimit !== undefined && { note: t`of ${dayLimit}` }),
          },
        ]),
  ]
  return (
    <ul
      aria-label={t`Figures of payouts`}
      className="-mx-edge mb-4 flex gap-3 overflow-x-auto px-edge py-1 sm:-mx-1 sm:px-1"
    >
      {tiles.map((tile) => (
        <li key={tile.label} className="min-w-40 flex-1 sm:min-w-36 [&>*]:h-full">
          <StatTile {...tile} />
        </li>
      ))}
    </ul>
  )
}
