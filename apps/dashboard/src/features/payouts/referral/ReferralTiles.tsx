import type { ReferralPayout } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { referralPayoutsQuery } from '../../../api/referral-payouts.ts'
import { operatorZone } from '../../../lib/time/time-zone.ts'
import { localIso } from '../../../lib/time/time.ts'
import { count, usd } from '../../../lib/text/format.ts'
import { StatTile } from '../../../ui/facts/StatTile.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'

const DAYS = 30
const DAY_MS = 24 * 3_600_000

/** As many as one page holds: beyond that the tile counts instead of adding up. */
const MOST = 200

/** How many promoters wait for their money, what they were paid of late, and what failed. */
export function ReferralTiles({ projectId }: { projectId: string }) {
  const [since] = useState(() => {
    const now = new Date()
    const dateFrom = localIso(new Date(now.getTime() - DAYS * DAY_MS), 'start', now)
    return { dateFrom, timezone: operatorZone() }
  })
  const waiting = useQuery(referralPayoutsQuery(projectId, { status: ['pending-approval', 'pending'], limit: 1 }))
  const paid = useQuery(referralPayoutsQuery(projectId, { status: ['processed'], limit: MOST, ...since }))
  const failed = useQuery(referralPayoutsQuery(projectId, { status: ['failed'], limit: 1, ...since }))
  if (waiting.isError && waiting.data === undefined) return null
  const shown = (value: string | undefined) => value ?? <Skeleton width={56} height={28} />
  const tiles = [
    { label: t`Waiting`, value: shown(waiting.data && count(waiting.data.total)) },
    { label: t`Paid in 30 days`, value: shown(paid.data && paidText(paid.data)) },
    { label: t`Failed in 30 days`, value: shown(failed.data && count(failed.data.total)) },
  ]
  return (
    <ul aria-label={t`Figures of referral payouts`} className="mb-4 figures gap-1.5 sm:gap-3">
      {tiles.map((tile) => (
        <li key={tile.label} className="flex *:flex-1">
          <StatTile {...tile} />
        </li>
      ))}
    </ul>
  )
}

function paidText({ data, total }: { readonly data: readonly ReferralPayout[]; readonly total: number }): string {
  if (total > data.length) return count(total)
  const cents = data.reduce((sum, { amountInUSD }) => sum + Math.round(Number(amountInUSD ?? 0) * 100), 0)
  return usd((cents / 100).toFixed(2))
}
