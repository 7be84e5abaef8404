import type { Campaign } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'

import { campaignBadge, howOften, rewardsText } from '../../../labels/growth-labels.ts'
import { count } from '../../../lib/text/format.ts'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { BudgetBar } from '../words/BudgetBar.tsx'
import { Period } from '../words/Period.tsx'

/** What a list of campaigns shows of each; the project only where several are listed. */
export function campaignColumns({ hasSeveralProjects }: { hasSeveralProjects: boolean }): Column<Campaign>[] {
  return [
    {
      key: 'name',
      label: t`Name`,
      card: 'title',
      grows: true,
      sortBy: 'name',
      cell: ({ name }) => <TruncatedName name={name} />,
    },
    {
      key: 'status',
      label: t`Status`,
      card: 'badge',
      cell: (campaign) => <StatusBadge {...campaignBadge(campaign)} />,
    },
    {
      key: 'reward',
      label: t`Reward`,
      card: 'line',
      cell: (campaign) => (
        <span className="block min-w-32 py-1 whitespace-normal lg:min-w-44">{rewardsText(campaign)}</span>
      ),
    },
    { key: 'applies', label: t`Applies`, card: 'line', cardLabel: true, shrink: 3, cell: howOften },
    { key: 'period', label: t`Period`, card: 'foot', shrink: 4, cell: (campaign) => <Period campaign={campaign} /> },
    {
      key: 'spent',
      label: t`Spent of budget`,
      card: 'line',
      cardLabel: true,
      cell: (campaign) => <BudgetBar campaign={campaign} />,
    },
    {
      key: 'rewards',
      label: t`Rewards`,
      card: 'foot',
      cardLabel: true,
      align: 'end',
      shrink: 2,
      cell: ({ rewardCount }) => count(rewardCount),
    },
    {
      key: 'for',
      label: t({ message: 'For', comment: 'for whom a campaign is' }),
      card: 'none',
      shrink: 1,
      cell: ({ isDefault }) => (isDefault ? t`All promoters` : t`Chosen promoters`),
    },
    ...(hasSeveralProjects
      ? [{ key: 'project', label: t`Project`, card: 'foot' as const, shrink: 5, cell: projectOf }]
      : []),
  ]
}

function projectOf({ project }: Campaign): string {
  return project
}
