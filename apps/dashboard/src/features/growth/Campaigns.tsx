import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Plus } from 'lucide-react'

import { useCan } from '../../api/me.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { Tabs } from '../../ui/actions/Tabs.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { EventList } from './events/EventList.tsx'
import { CampaignList } from './list/CampaignList.tsx'

/** Nothing of one list is left in the address when the other is chosen. */
const OF_ONE_TAB = ['query', 'status', 'sortBy', 'sortDirection', 'cursor', 'open']

/** Campaigns, and the events that they count. */
export function Campaigns({ projectId }: { projectId: string }) {
  const mayStart = useCan()('referral:write', projectId) && projectId !== ALL_PROJECTS
  return (
    <>
      <PageHead
        title={t`Campaigns`}
        text={t`What promoters and the customers they bring earn, and for what.`}
        primary={
          mayStart && (
            <LinkButton
              kind="primary"
              icon={<Plus aria-hidden strokeWidth={2} />}
              href={paths.newCampaign({ projectId })}
            >
              <Trans>New campaign</Trans>
            </LinkButton>
          )
        }
      />
      <Tabs
        label={t`Campaigns`}
        clears={OF_ONE_TAB}
        tabs={[
          { id: 'campaigns', label: t`Campaigns` },
          { id: 'events', label: t`Events` },
        ]}
      >
        {(tab) => (tab === 'events' ? <EventList projectId={projectId} /> : <CampaignList projectId={projectId} />)}
      </Tabs>
    </>
  )
}
