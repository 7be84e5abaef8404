import type { PromoterRow } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'

import { promoterBadge } from '../../../labels/growth-labels.ts'
import { count, usd } from '../../../lib/text/format.ts'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'

/** What a list of promoters shows of each; the project only where several are listed. */
export function promoterColumns({ hasSeveralProjects }: { hasSeveralProjects: boolean }): Column<PromoterRow>[] {
  return [
    {
      key: 'email',
      label: t`Customer`,
      card: 'title',
      grows: true,
      sortBy: 'email',
      cell: ({ email, referenceID }) => (
        <span className="flex min-w-0 flex-col">
          <TruncatedName name={email} />
          <span className="min-w-0 text-dense font-normal text-muted">
            <TruncatedName name={referenceID} />
          </span>
        </span>
      ),
    },
    {
      key: 'code',
      label: t`Referral Code`,
      card: 'line',
      cardLabel: true,
      shrink: 2,
      cell: ({ code }) => <span className="font-mono">{code}</span>,
    },
    {
      key: 'customers',
      label: t`Customers`,
      card: 'line',
      cardLabel: true,
      align: 'end',
      sortBy: 'referee_count',
      cell: ({ refereeCount }) => count(refereeCount),
    },
    {
      key: 'joined',
      label: t`Date Joined`,
      card: 'foot',
      shrink: 1,
      sortBy: 'created_at',
      cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
    },
    {
      key: 'rewards',
      label: t`Rewards Earned`,
      card: 'line',
      cardLabel: true,
      align: 'end',
      sortBy: 'total_rewards',
      cell: ({ totalRewards }) => usd(totalRewards),
    },
    { key: 'state', label: t`State`, card: 'badge', cell: ({ status }) => <StatusBadge {...promoterBadge(status)} /> },
    ...(hasSeveralProjects
      ? [{ key: 'project', label: t`Project`, card: 'foot' as const, shrink: 3, cell: projectOf }]
      : []),
  ]
}

function projectOf({ project }: PromoterRow): string {
  return project
}
