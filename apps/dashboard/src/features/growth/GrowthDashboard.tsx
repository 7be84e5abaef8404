import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Plus, Share2 } from 'lucide-react'

import { useCan } from '../../api/me.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { BringFriend } from './figures/BringFriend.tsx'
import { GrowthTiles } from './figures/GrowthTiles.tsx'
import { PromotersTable } from './figures/PromotersTable.tsx'
import { RewardsChart } from './figures/RewardsChart.tsx'

/** What the referral programme earns and costs. */
export function GrowthDashboard({ projectId }: { projectId: string }) {
  const mayStart = useCan()('referral:write', projectId) && projectId !== ALL_PROJECTS
  const start = (kind: 'primary' | 'secondary') =>
    mayStart && (
      <LinkButton kind={kind} icon={<Plus aria-hidden strokeWidth={2} />} href={paths.newCampaign({ projectId })}>
        <Trans>New campaign</Trans>
      </LinkButton>
    )
  return (
    <>
      <PageHead
        title={t`Growth dashboard`}
        text={t`Customers who bring customers: whom they brought, and what you owe for it.`}
        primary={start('primary')}
        actions={<BringFriend projectId={projectId} />}
      />
      <GrowthTiles projectId={projectId} />
      <div className="mb-6">
        <RewardsChart projectId={projectId} />
      </div>
      <PromotersTable
        projectId={projectId}
        empty={
          <EmptyState
            icon={<Share2 aria-hidden strokeWidth={1.75} />}
            title={t`Nobody has shared a code yet.`}
            text={t`Start a campaign, then send customers their link.`}
            action={start('secondary')}
          />
        }
      />
    </>
  )
}
