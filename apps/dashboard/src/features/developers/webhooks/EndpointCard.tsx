import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { useLocation } from '@tanstack/react-router'

import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { stringifySearch, useSearchState } from '../../../lib/navigation/search.ts'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { EndpointHead, LastDelivery } from './EndpointHead.tsx'
import { useProjectName } from '../choices/project-options.ts'
import { eventsText } from '../choices/webhook-events.ts'

export type EndpointCardProps = {
  readonly webhook: Webhook
  /** The page's project, or `all`, in which case the card names its own. */
  readonly projectId: string
}

/** One endpoint of the list: where it is, how it does, and the way to everything about it. */
export function EndpointCard({ webhook, projectId }: EndpointCardProps) {
  const projectName = useProjectName()
  const pathname = useLocation({ select: (location) => location.pathname })
  const [{ tabId, projectId: inQuery }] = useSearchState()
  const { url, description, events } = webhook
  const rows = [
    ...(projectId === ALL_PROJECTS ? [{ label: t`Project`, value: projectName(webhook.externalPlatformID) }] : []),
    ...(description === '' ? [] : [{ label: t`Description`, value: description }]),
    { label: t`Events`, value: eventsText(events) },
    { label: t`Last delivery`, value: <LastDelivery webhook={webhook} /> },
  ]
  const href = pathname + stringifySearch({ tabId, projectId: inQuery, open: String(webhook.id) })
  return (
    <section aria-label={url} className="rounded-card border border-border bg-surface p-4 shadow-card sm:p-5">
      <EndpointHead
        webhook={webhook}
        title={
          <TextLink href={href}>
            <bdi dir="ltr">{url}</bdi>
          </TextLink>
        }
      >
        <KeyValue rows={rows} />
      </EndpointHead>
    </section>
  )
}
