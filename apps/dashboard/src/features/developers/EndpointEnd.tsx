import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { useState } from 'react'

import { failureOf } from '../../api/form-failure.ts'
import { useChangeWebhook, useDeleteWebhook } from '../../api/webhooks.ts'
import { useSearchState } from '../../lib/search.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ConsequencesDialog } from '../../ui/ConsequencesDialog.tsx'
import { toast } from '../../ui/toast.ts'

const GOING = [
  'What waits to be sent to it is discarded.',
  'Your shop must ask for the states of payments itself, or be told by another endpoint.',
]

/** Turns an endpoint off or on, or deletes it. */
export function EndpointEnd({ webhook }: { webhook: Webhook }) {
  const change = useChangeWebhook()
  const remove = useDeleteWebhook()
  const [, setSearch] = useSearchState()
  const [asked, setAsked] = useState<'off' | 'delete'>()
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const host = URL.parse(webhook.url)?.host ?? webhook.url
  const isOn = webhook.status === 'active'
  const close = () => setAsked(undefined)

  const run = async (text: string, send: () => Promise<unknown>) => {
    const found = await failureOf(send)
    if (found === undefined) toast.success(text)
    return found
  }
  const turnOn = async () => {
    setSending(true)
    setFailure(await run('The endpoint is on', () => change(webhook, { status: 'active' })))
    setSending(false)
  }
  const confirmDelete = async () => {
    const found = await run('Endpoint deleted', () => remove(webhook))
    if (found === undefined) setSearch({ open: undefined, view: undefined })
    return found
  }
  return (
    <Card title={isOn ? 'Turn off or delete' : 'Turn on or delete'}>
      {failure !== undefined && (
        <div className="mb-3">
          <Banner tone="danger">{failure}</Banner>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <Button onClick={() => setAsked('off')}>Turn off</Button>
        ) : (
          <Button loading={isSending} onClick={() => void turnOn()}>
            Turn on
          </Button>
        )}
        <Button onClick={() => setAsked('delete')}>Delete endpoint</Button>
      </div>
      {asked === 'off' && (
        <ConsequencesDialog
          title={`Turn off ${host}?`}
          consequences={[...GOING, 'You can turn it on again and send what was discarded then.']}
          action="Turn off"
          keep="Keep it on"
          onConfirm={() => run('The endpoint is off', () => change(webhook, { status: 'inactive' }))}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <ConsequencesDialog
          title={`Delete ${host}?`}
          consequences={[...GOING, 'Its secrets are gone for good. The list of what was sent stays.']}
          action="Delete endpoint"
          keep="Keep it"
          typed={host}
          onConfirm={confirmDelete}
          onClose={close}
        />
      )}
    </Card>
  )
}
