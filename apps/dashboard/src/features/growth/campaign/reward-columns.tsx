import type { Reward } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'

import { rewardBadge } from '../../../labels/growth/referral-states.ts'
import { reversalText, rewardMoney } from '../../../labels/growth-labels.ts'
import { paths } from '../../../lib/paths.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { None } from '../../../ui/facts/None.tsx'
import { ExplainedBadge } from '../../../ui/facts/ExplainedBadge.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'

export type RewardColumnsOptions = {
  readonly projectId: string
  /** Of whom or of what the list is: that needs no column. */
  readonly of: 'campaign' | 'promoter'
}

/** What a list of rewards shows of each. */
export function rewardColumns({ projectId, of }: RewardColumnsOptions): Column<Reward>[] {
  return [
    {
      key: 'amount',
      label: t`Amount`,
      card: 'title',
      align: 'end',
      cell: (row) => <RewardAmount row={row} />,
    },
    { key: 'state', label: t`State`, card: 'badge', cell: (row) => <State row={row} /> },
    ...(of === 'campaign'
      ? [
          {
            key: 'rewarded',
            label: t({ message: 'Who', comment: 'who was rewarded' }),
            card: 'line' as const,
            grows: true,
            cell: ({ rewardedMemberEmail }: Reward) => <TruncatedName name={rewardedMemberEmail} />,
          },
        ]
      : [
          {
            key: 'campaign',
            label: t`Campaign`,
            card: 'line' as const,
            grows: true,
            cell: ({ campaignId, campaignName }: Reward) => (
              <TextLink href={paths.campaign({ projectId, id: campaignId })}>{campaignName}</TextLink>
            ),
          },
        ]),
    {
      key: 'side',
      label: t`As`,
      card: 'foot',
      shrink: 2,
      cell: ({ memberType }) => (memberType === 'referrer' ? t`Promoter` : t`Invitee`),
    },
    {
      key: 'related',
      label: t`For`,
      card: 'line',
      cardLabel: true,
      shrink: 3,
      cell: ({ relatedMemberEmail }) => (
        <span className="block sm:w-52">
          <TruncatedName name={relatedMemberEmail} />
        </span>
      ),
    },
    {
      key: 'payment',
      label: t`Payment`,
      card: 'none',
      shrink: 1,
      cell: ({ referenceOfPayment }) =>
        referenceOfPayment === null ? (
          <None />
        ) : (
          <TextLink href={paths.payment({ projectId, reference: referenceOfPayment })}>{t`Open`}</TextLink>
        ),
    },
    { key: 'at', label: t`Time`, card: 'foot', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ]
}

/** What is left of it; what it was where some was taken back. */
function RewardAmount({ row: { amount, givenAmount, currencyCode } }: { row: Reward }) {
  const given = rewardMoney(givenAmount, currencyCode)
  return (
    <span className="flex flex-col tabular-nums">
      <span>{rewardMoney(amount, currencyCode)}</span>
      {amount !== givenAmount && <span className="text-dense text-muted">{t`of ${given}`}</span>}
    </span>
  )
}

function State({ row }: { row: Reward }) {
  return <ExplainedBadge badge={rewardBadge(row.status)} why={reversalText(row)} />
}
