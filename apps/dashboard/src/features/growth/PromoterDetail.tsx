import type { PromoterDetail as Promoter } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { UserRoundCheck, UserRoundX } from 'lucide-react'
import { Suspense, useState } from 'react'

import { promoterQuery } from '../../api/growth.ts'
import { useCan } from '../../api/me.ts'
import { promoterBadge } from '../../labels/growth-labels.ts'
import { count, usd } from '../../lib/text/format.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { CopyButton } from '../../ui/actions/CopyButton.tsx'
import { Tabs } from '../../ui/actions/Tabs.tsx'
import { StatTile } from '../../ui/facts/StatTile.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'
import { PromoterCampaigns } from './promoter/PromoterCampaigns.tsx'
import { PromoterPayouts } from './promoter/PromoterPayouts.tsx'
import { PromoterRewards } from './promoter/PromoterRewards.tsx'
import { SeriesChart } from './promoter/SeriesChart.tsx'
import { Awaited } from './words/Awaited.tsx'

const PromoterStatusDialog = lazyLayer(async () => ({
  default: (await import('./promoter/PromoterStatusDialog.tsx')).PromoterStatusDialog,
}))

/** One promoter: who they brought, what they earned, whether to trust it. */
export function PromoterDetail({ projectId, id }: { projectId: string; id: number }) {
  const { data, error, refetch } = useQuery(promoterQuery(projectId, id))
  if (data !== undefined) return <Detail projectId={projectId} promoter={data} />
  return (
    <Awaited
      title={t`Promoter`}
      error={error}
      absent={['REFERRER_NOT_FOUND', t`There’s no such promoter here`]}
      onRetry={() => void refetch()}
    />
  )
}

function Detail({ projectId, promoter }: { projectId: string; promoter: Promoter }) {
  const mayWrite = useCan()('referral:write', projectId)
  const [isAsked, setAsked] = useState(false)
  const { id, email, code, status, createdAt, referredByMember } = promoter
  const isActive = status === 'active'
  const referrer = referredByMember?.email
  return (
    <>
      <PageHead
        title={email}
        text={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="inline-flex items-center gap-1">
              <span className="font-mono text-ink">{code}</span>
              <CopyButton label={t`referral code`} value={code} />
            </span>
            <span>{promoter.referenceId}</span>
            <span>
              <Trans>Joined</Trans> <TimeAgo at={createdAt} inText />
            </span>
            {referrer !== undefined && <span>{t`Brought by ${referrer}`}</span>}
          </span>
        }
        badge={<StatusBadge {...promoterBadge(status)} />}
        actions={
          mayWrite && (
            <Button
              icon={isActive ? <UserRoundX aria-hidden /> : <UserRoundCheck aria-hidden />}
              onClick={() => setAsked(true)}
            >
              {isActive ? <Trans>Deactivate</Trans> : <Trans>Activate</Trans>}
            </Button>
          )
        }
      />
      <Figures promoter={promoter} />
      <div className="mb-6">
        <SeriesChart projectId={projectId} promoter={promoter} />
      </div>
      <Tabs
        label={t`Promoter`}
        clears={['cursor']}
        tabs={[
          { id: 'rewards', label: t`Rewards` },
          { id: 'payouts', label: t`Payouts` },
          { id: 'campaigns', label: t`Campaigns` },
        ]}
      >
        {(tab) => {
          if (tab === 'payouts') return <PromoterPayouts projectId={projectId} id={id} />
          return tab === 'campaigns' ? (
            <PromoterCampaigns projectId={projectId} promoter={promoter} />
          ) : (
            <PromoterRewards projectId={projectId} id={id} />
          )
        }}
      </Tabs>
      <Suspense>
        {isAsked && <PromoterStatusDialog projectId={projectId} promoter={promoter} onClose={() => setAsked(false)} />}
      </Suspense>
    </>
  )
}

function Figures({ promoter }: { promoter: Promoter }) {
  const { refereeCount, totalRewards, paid, available, held, owed } = promoter
  const tiles = [
    { label: t`Customers brought`, value: count(refereeCount) },
    { label: t`Earned`, value: usd(totalRewards) },
    { label: t({ message: 'Paid', context: 'a reward' }), value: usd(paid) },
    { label: t({ message: 'Owed', context: 'a reward' }), value: usd(available) },
    { label: t({ message: 'Being paid', context: 'a reward' }), value: usd(held) },
    // Paid for sales that were taken back: seldom, and then worth a tile.
    ...(/[1-9]/.test(owed) ? [{ label: t`Owed back`, value: usd(owed) }] : []),
  ]
  return (
    <ul
      aria-label={t`Figures of the promoter`}
      className="mb-5 grid grid-cols-2 gap-1.5 sm:grid-cols-3 sm:gap-3 xl:grid-cols-6"
    >
      {tiles.map((tile) => (
        <li key={tile.label} className="flex *:flex-1">
          <StatTile {...tile} />
        </li>
      ))}
    </ul>
  )
}
