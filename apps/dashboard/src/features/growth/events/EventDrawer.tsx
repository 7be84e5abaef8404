import { KASSA_PAYMENT_EVENT } from '@kassa/contract/referral/machine.ts'
import type { ReferralEvent } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { SquarePen } from 'lucide-react'
import { Suspense, useState } from 'react'

import { backendUrl } from '../../../api/backend.ts'
import { useCan } from '../../../api/me.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { Drawer } from '../../../ui/overlays/Drawer.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { eventName, eventTypeWord } from '../words/event-types.ts'
import { EventLogs } from './EventLogs.tsx'

const EditEventDialog = lazyLayer(async () => ({ default: (await import('./EventDialog.tsx')).EditEventDialog }))

export type EventDrawerProps = {
  readonly event: ReferralEvent
  readonly onClose: () => void
}

/** One event: how the shop reports it, and what was reported. */
export function EventDrawer({ event, onClose }: EventDrawerProps) {
  const projectId = String(event.externalPlatformID)
  const mayWrite = useCan()('referral:write', projectId) && event.isEditable
  const [isEditing, setEditing] = useState(false)
  return (
    <Drawer
      title={eventName(event)}
      width={800}
      onClose={onClose}
      foot={
        mayWrite && (
          <Button icon={<SquarePen aria-hidden />} onClick={() => setEditing(true)}>
            <Trans>Edit</Trans>
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-6">
        <KeyValue
          rows={[
            { label: t`Key`, value: <span className="font-mono">{event.key}</span> },
            { label: t`Type`, value: eventTypeWord(event.eventType) },
            ...(event.description === null ? [] : [{ label: t`Description`, value: event.description }]),
          ]}
        />
        {event.key === KASSA_PAYMENT_EVENT ? (
          <p className="text-body text-muted">
            <Trans>
              Kassa reports this itself when a payment of a linked customer becomes final. Your shop needs no code for
              it but the call that links the customer.
            </Trans>
          </p>
        ) : (
          <CodeBlock label={t`Sample call`} text={sampleCall(event)} />
        )}
        <EventLogs projectId={projectId} eventKey={event.key} />
      </div>
      <Suspense>
        {isEditing && <EditEventDialog projectId={projectId} event={event} onClose={() => setEditing(false)} />}
      </Suspense>
    </Drawer>
  )
}

/** The call with which the shop's server reports the event. */
function sampleCall({ key, eventType }: ReferralEvent): string {
  const amount = eventType === 'payment' ? ', "amount": "49.00"' : ''
  return [
    `curl -X POST ${backendUrl()}/api/v1/referral/event-log \\`,
    `  -H "API-Key: $KASSA_API_KEY" -H "Content-Type: application/json" \\`,
    `  -d '{"eventKey": "${key}", "referenceID": "customer-42"${amount}}'`,
  ].join('\n')
}
