import type { FeedEvent } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'

import { exactTime } from '../../../lib/time/time.ts'
import { CodeBlock } from '../../../ui/facts/CodeBlock.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { Drawer } from '../../../ui/overlays/Drawer.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { EventDeliveries } from './EventDeliveries.tsx'
import { curlOfEvent } from '../samples/samples.ts'

export type EventDrawerProps = {
  readonly projectId: string
  readonly event: FeedEvent
  readonly onClose: () => void
}

/** One stored event: the payload for endpoints, and which of them have received it. */
export function EventDrawer({ projectId, event, onClose }: EventDrawerProps) {
  const { id, type, sequence, createdAt, payload } = event
  return (
    <Drawer
      title={type}
      foot={<CopyButton label={t`curl command`} value={curlOfEvent(event)} withText />}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <KeyValue
          rows={[
            { label: t`Event id`, value: <span className="font-mono text-dense break-all">{id}</span> },
            { label: t`Happened`, value: exactTime(createdAt) },
            ...(sequence === null ? [] : [{ label: t`Sequence of the payment`, value: sequence }]),
          ]}
        />
        <EventDeliveries key={id} projectId={projectId} event={event} />
        <CodeBlock label={t`payload`} text={JSON.stringify(payload, null, 2)} wraps />
      </div>
    </Drawer>
  )
}
