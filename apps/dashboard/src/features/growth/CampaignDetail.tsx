import type { CampaignStatus } from '@kassa/contract/referral/machine.ts'
import type { Campaign } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Archive, Pause, Play, SquarePen, Users } from 'lucide-react'
import { Suspense, useState } from 'react'

import { campaignQuery } from '../../api/growth.ts'
import { useCan } from '../../api/me.ts'
import { campaignBadge } from '../../labels/growth-labels.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { Tabs } from '../../ui/actions/Tabs.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { moveName, movesOf } from './campaign/campaign-moves.ts'
import { CampaignOverview } from './campaign/CampaignOverview.tsx'
import { CampaignRules } from './campaign/CampaignRules.tsx'
import { PromotersTable } from './figures/PromotersTable.tsx'
import { Awaited } from './words/Awaited.tsx'

const StatusDialog = lazyLayer(async () => ({ default: (await import('./campaign/StatusDialog.tsx')).StatusDialog }))

/** One campaign: whether it earns its keep. */
export function CampaignDetail({ projectId, id }: { projectId: string; id: number }) {
  const { data, error, refetch } = useQuery(campaignQuery(projectId, id))
  if (data !== undefined) return <Detail campaign={data} />
  return (
    <Awaited
      title={t`Campaign`}
      error={error}
      absent={['CAMPAIGN_NOT_FOUND', t`There’s no such campaign here`]}
      onRetry={() => void refetch()}
    />
  )
}

const MOVE_ICONS = {
  active: <Play aria-hidden />,
  paused: <Pause aria-hidden />,
  archived: <Archive aria-hidden />,
} as const

/** Nothing of one tab's list is left in the address when another is chosen. */
const OF_ONE_TAB = ['query', 'state', 'sortBy', 'sortDirection', 'cursor']

function Detail({ campaign }: { campaign: Campaign }) {
  const projectId = String(campaign.externalPlatformID)
  const mayWrite = useCan()('referral:write', projectId)
  const [to, setTo] = useState<CampaignStatus>()
  const place = { projectId, id: campaign.id }
  const isOver = campaign.status === 'archived' || campaign.ended
  return (
    <>
      <PageHead
        title={campaign.name}
        text={campaign.description ?? undefined}
        badge={<StatusBadge {...campaignBadge(campaign)} />}
        actions={
          mayWrite && (
            <>
              {movesOf(campaign).map((state) => (
                <Button key={state} icon={MOVE_ICONS[state]} onClick={() => setTo(state)}>
                  {moveName(state)}
                </Button>
              ))}
              {!isOver && (
                <LinkButton icon={<SquarePen aria-hidden />} href={paths.editCampaign(place)}>
                  <Trans>Edit</Trans>
                </LinkButton>
              )}
            </>
          )
        }
      />
      {campaign.pausedBecause === 'budget' && (
        <div className="mb-4">
          <Banner
            tone="warning"
            action={
              mayWrite && (
                <LinkButton size="small" href={paths.editCampaign(place)}>
                  <Trans>Raise budget</Trans>
                </LinkButton>
              )
            }
          >
            <Trans>Paused: budget reached. Nothing is given until it is raised.</Trans>
          </Banner>
        </div>
      )}
      <Tabs
        label={t`Campaign`}
        clears={OF_ONE_TAB}
        tabs={[
          { id: 'overview', label: t`Overview` },
          { id: 'promoters', label: t`Promoters` },
          { id: 'settings', label: t`Settings` },
        ]}
      >
        {(tab) => {
          if (tab === 'promoters') return <Promoters campaign={campaign} />
          return tab === 'settings' ? <CampaignRules campaign={campaign} /> : <CampaignOverview campaign={campaign} />
        }}
      </Tabs>
      <Suspense>
        {to !== undefined && <StatusDialog campaign={campaign} to={to} onClose={() => setTo(undefined)} />}
      </Suspense>
    </>
  )
}

function Promoters({ campaign }: { campaign: Campaign }) {
  return (
    <PromotersTable
      projectId={String(campaign.externalPlatformID)}
      campaignId={campaign.id}
      empty={
        <EmptyState
          icon={<Users aria-hidden strokeWidth={1.75} />}
          title={campaign.isDefault ? t`Nobody has shared a code yet.` : t`Nobody is attached yet.`}
          text={
            campaign.isDefault
              ? t`Every promoter of the project appears here once there is one.`
              : t`Open a promoter, then the tab Campaigns, to attach them.`
          }
        />
      }
    />
  )
}
