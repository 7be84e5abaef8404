import type { Campaign } from '@kassa/contract/referral/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Gift } from 'lucide-react'

import { campaignRewardsQuery, campaignTotalQuery } from '../../../api/growth.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { howOften, rewardMoney, rewardsText } from '../../../labels/growth-labels.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { listText } from '../../../lib/text/list-text.ts'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { StatTile } from '../../../ui/facts/StatTile.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { EventLogs } from '../events/EventLogs.tsx'
import { BudgetBar } from '../words/BudgetBar.tsx'
import { eventName } from '../words/event-types.ts'
import { Period } from '../words/Period.tsx'
import { rewardColumns } from './reward-columns.tsx'

/** As many events as are seen without scrolling. */
const NEWEST = 5

/** What a campaign has given, what it counts, and its newest events and rewards. */
export function CampaignOverview({ campaign }: { campaign: Campaign }) {
  const projectId = String(campaign.externalPlatformID)
  return (
    <div className="flex flex-col gap-6">
      <Totals projectId={projectId} campaign={campaign} />
      <Card title={t`What it gives`}>
        <KeyValue
          rows={[
            { label: t`Reward`, value: rewardsText(campaign) },
            { label: t`What counts`, value: listText(campaign.events.map(eventName)) },
            { label: t`Applies`, value: howOften(campaign) },
            { label: t`Period`, value: <Period campaign={campaign} /> },
            { label: t`Spent of budget`, value: <BudgetBar campaign={campaign} /> },
          ]}
        />
      </Card>
      <section aria-label={t`Rewards`} className="flex flex-col gap-3">
        <h2 className="text-h3 font-semibold">{t`Rewards`}</h2>
        <CampaignRewards projectId={projectId} campaign={campaign} />
      </section>
      <section aria-label={t`Newest events`} className="flex flex-col gap-3">
        <h2 className="text-h3 font-semibold">{t`Newest events`}</h2>
        <EventLogs projectId={projectId} campaignID={campaign.id} limit={NEWEST} />
      </section>
    </div>
  )
}

function Totals({ projectId, campaign: { id, currencyCode } }: { projectId: string; campaign: Campaign }) {
  const { data, isError } = useQuery(campaignTotalQuery(projectId, id))
  if (isError && data === undefined) return null
  const shown = (amount: string | undefined) =>
    amount === undefined ? <Skeleton width={72} height={28} /> : rewardMoney(amount, currencyCode)
  const tiles = [
    { label: t`To promoters`, value: shown(data?.referrerTotal) },
    { label: t`To invitees`, value: shown(data?.refereeTotal) },
    {
      label: t`In all`,
      value: shown(data?.total),
      ...(data && { note: plural(data.rewardCount, { one: '# reward', other: '# rewards' }) }),
    },
    ...(typeof data?.budgetLeft === 'string' ? [{ label: t`Left of the budget`, value: shown(data.budgetLeft) }] : []),
  ]
  return (
    <ul aria-label={t`Figures of the campaign`} className="grid grid-cols-2 gap-1.5 sm:gap-3 lg:grid-cols-4">
      {tiles.map((tile) => (
        <li key={tile.label} className="flex *:flex-1">
          <StatTile {...tile} />
        </li>
      ))}
    </ul>
  )
}

function CampaignRewards({ projectId, campaign }: { projectId: string; campaign: Campaign }) {
  const [{ cursor }] = useSearchState()
  const page = useQuery(campaignRewardsQuery(projectId, campaign.id, cursor))
  return (
    <DataTable
      caption={t`Rewards`}
      columns={rewardColumns({ projectId, of: 'campaign' })}
      rows={page.data?.data}
      rowKey={({ id }) => String(id)}
      error={page.error === null ? null : asRequestError(page.error)}
      onRetry={() => void page.refetch()}
      refreshing={page.isFetching && page.isPlaceholderData}
      empty={
        <EmptyState
          icon={<Gift aria-hidden strokeWidth={1.75} />}
          title={t`No reward yet.`}
          text={t`The first one appears after an invited customer’s payment is final.`}
        />
      }
      paging={{ nextCursor: page.data?.nextCursor ?? null, total: page.data?.total }}
    />
  )
}
