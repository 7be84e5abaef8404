import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { BookOpen } from 'lucide-react'

import { backendPath } from '../../api/backend.ts'
import { meQuery, useCan } from '../../api/me.ts'
import { useCurrentProject } from '../../lib/navigation/current-project.ts'
import { Card } from '../../ui/places/Card.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { Tabs } from '../../ui/actions/Tabs.tsx'
import type { Tab } from '../../ui/actions/Tabs.tsx'
import { ApiKeys } from './api-keys/ApiKeys.tsx'
import type { BadgeOf } from './event-log/event-columns.tsx'
import { EventLog } from './event-log/EventLog.tsx'
import { Webhooks } from './webhooks/Webhooks.tsx'

/** What is open, and where in its list: nothing of it is left when another tab is chosen. */
const OF_ONE_TAB = ['open', 'view', 'delivery', 'panel', 'shown', 'cursor']

/** What a program needs of Kassa: API keys, and endpoints that receive events. */
export function Developers({ badgeOf }: { badgeOf: BadgeOf }) {
  const { id: projectId } = useCurrentProject()
  const { data: me } = useQuery(meQuery)
  const can = useCan()
  const tabs: Tab[] = []
  if (can('api_key:read', projectId)) tabs.push({ id: 'apiKeys', label: t`API keys` })
  if (can('webhook:read', projectId))
    tabs.push({ id: 'webhooks', label: t`Webhooks` }, { id: 'events', label: t`Events` })
  const [first, ...others] = tabs

  return (
    <>
      <PageHead
        title={t`Developers`}
        text={t`Connect your shop: it creates payments with an API key and is notified of them by webhook.`}
        aside={
          <LinkButton href={backendPath('/openapi.json')} newTab icon={<BookOpen aria-hidden />}>
            OpenAPI
          </LinkButton>
        }
      />
      {first !== undefined && (
        <Tabs label={t`Developers`} tabs={[first, ...others]} clears={OF_ONE_TAB}>
          {(selected) => {
            if (selected === 'webhooks') return <Webhooks projectId={projectId} />
            return selected === 'events' ? (
              <EventLog projectId={projectId} badgeOf={badgeOf} />
            ) : (
              <ApiKeys projectId={projectId} />
            )
          }}
        </Tabs>
      )}
      {first === undefined && me !== undefined && (
        <Card flush>
          <EmptyState
            title={t`Nothing here for you`}
            text={t`Seeing keys needs api_key:read, seeing webhooks webhook:read. Ask an administrator.`}
          />
        </Card>
      )}
    </>
  )
}
