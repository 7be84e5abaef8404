import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'

import { useCan } from '../../../api/me.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { EndpointEnd } from './EndpointEnd.tsx'
import { EndpointForm } from './EndpointForm.tsx'
import { EndpointSecrets } from './EndpointSecrets.tsx'
import { eventsText } from '../choices/webhook-events.ts'

/** What an endpoint receives and where, its secrets, and its end; only shown to those who may not change it. */
export function EndpointSettings({ webhook }: { webhook: Webhook }) {
  const mayWrite = useCan()('webhook:write', webhook.externalPlatformID)
  if (!mayWrite) return <ReadOnly webhook={webhook} />
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <EndpointForm key={webhook.id} webhook={webhook} />
      <div className="flex flex-col gap-4">
        <EndpointSecrets webhook={webhook} />
        <EndpointEnd webhook={webhook} />
      </div>
    </div>
  )
}

function ReadOnly({ webhook: { name, description, events, secret, legacyHeaders } }: { webhook: Webhook }) {
  return (
    <Card title={t`Settings`} text={t`Changing an endpoint needs webhook:write.`}>
      <KeyValue
        rows={[
          { label: t`Name`, value: name || '–' },
          { label: t`Description`, value: description || '–' },
          { label: t`Events`, value: eventsText(events) },
          { label: t`Signing secret`, value: <span className="font-mono text-dense">{secret ?? '–'}</span> },
          { label: t`Access key header`, value: legacyHeaders ? t`Sent` : t`Not sent` },
        ]}
      />
    </Card>
  )
}
