import type { FeedEvent } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'

import { exactTime } from '../../lib/time.ts'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { Drawer } from '../../ui/Drawer.tsx'
import { KeyValue } from '../../ui/KeyValue.tsx'

/** One event as it is kept for ever: what endpoints were, or would have been, sent. */
export function EventDrawer({ event, onClose }: { event: FeedEvent; onClose: () => void }) {
  const { id, type, sequence, createdAt, payload } = event
  return (
    <Drawer title={type} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <KeyValue
          rows={[
            { label: t`Event id`, value: <span className="font-mono text-dense break-all">{id}</span> },
            { label: t`Happened`, value: exactTime(createdAt) },
            ...(sequence === null ? [] : [{ label: t`Sequence of the payment`, value: sequence }]),
          ]}
        />
        <CodeBlock label={t`payload`} text={JSON.stringify(payload, null, 2)} wraps />
      </div>
    </Drawer>
  )
}
