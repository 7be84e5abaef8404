import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'

import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { stringifySearch, useSearchState } from '../../../lib/navigation/search.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { Tabs } from '../../../ui/actions/Tabs.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { lazyPart } from '../../../ui/overlays/lazy-load.ts'
import { Deliveries } from '../deliveries/Deliveries.tsx'
import { EndpointHead, LastDelivery } from './EndpointHead.tsx'
import { useProjectName } from '../choices/project-options.ts'

const EndpointSettings = lazyPart(async () => ({
  default: (await import('../endpoint-settings/EndpointSettings.tsx')).EndpointSettings,
}))

/** One endpoint: how it does, what was sent to it, and its settings. */
export function EndpointDetail({ webhook, projectId }: { webhook: Webhook; projectId: string }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  const [{ tabId, projectId: inQuery }] = useSearchState()
  const projectName = useProjectName()
  const project = projectId === ALL_PROJECTS ? `${projectName(webhook.externalPlatformID)} · ` : ''
  const views = [
    { id: 'deliveries', label: t`Deliveries` },
    { id: 'settings', label: t`Settings` },
  ] as const
  return (
    <section aria-label={webhook.url} className="flex flex-col gap-4">
      <p className="text-body">
        <TextLink href={pathname + stringifySearch({ tabId, projectId: inQuery })}>
          <Trans>All endpoints</Trans>
        </TextLink>
      </p>
      <Card>
        <EndpointHead webhook={webhook} title={<bdi dir="ltr">{webhook.url}</bdi>}>
          <p className="text-body text-muted">
            {project}
            <Trans>
              Last delivery: <LastDelivery webhook={webhook} />
            </Trans>
          </p>
        </EndpointHead>
      </Card>
      <Tabs label={t`Endpoint`} tabs={views} param="view">
        {(view) =>
          view === 'settings' ? (
            <Suspense fallback={<Skeleton width="60%" />}>
              <EndpointSettings webhook={webhook} />
            </Suspense>
          ) : (
            <Deliveries projectId={projectId} webhooks={[webhook]} endpoint={webhook} />
          )
        }
      </Tabs>
    </section>
  )
}
