import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useChangeWebhook, useDeleteWebhook } from '../../../api/webhooks.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { ConsequencesDialog } from '../../../ui/overlays/ConsequencesDialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

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
  const consequences = [
    t`What waits to be sent to it is discarded.`,
    t`Your shop must ask for the states of payments itself, or be notified by another endpoint.`,
  ]

  const run = async (text: string, send: () => Promise<unknown>) => {
    const found = await failureOf(send)
    if (found === undefined) toast.success(text)
    return found
  }
  const turnOn = async () => {
    setSending(true)
    setFailure(await run(t`The endpoint is on`, () => change(webhook, { status: 'active' })))
    setSending(false)
  }
  const confirmDelete = async () => {
    const found = await run(t`Endpoint deleted`, () => remove(webhook))
    if (found === undefined) setSearch({ open: undefined, view: undefined })
    return found
  }
  return (
    <Card title={isOn ? t`Turn off or delete` : t`Turn on or delete`}>
      {failure !== undefined && (
        <div className="mb-3">
          <Banner tone="danger">{failure}</Banner>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <Button onClick={() => setAsked('off')}>
            <Trans>Turn off</Trans>
          </Button>
        ) : (
          <Button loading={isSending} onClick={() => void turnOn()}>
            <Trans>Turn on</Trans>
          </Button>
        )}
        <Button onClick={() => setAsked('delete')}>
          <Trans>Delete endpoint</Trans>
        </Button>
      </div>
      {asked === 'off' && (
        <ConsequencesDialog
          title={t`Turn off ${host}?`}
          consequences={[...consequences, t`You can turn it on again and send what was discarded then.`]}
          action={t`Turn off`}
          onConfirm={() => run(t`The endpoint is off`, () => change(webhook, { status: 'inactive' }))}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <ConsequencesDialog
          title={t`Delete ${host}?`}
          consequences={[...consequences, t`Its secrets are gone for good. The list of what was sent stays.`]}
          action={t`Delete endpoint`}
          typed={host}
          onConfirm={confirmDelete}
          onClose={close}
        />
      )}
    </Card>
  )
}
