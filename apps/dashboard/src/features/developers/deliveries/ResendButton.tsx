import type { Delivery, Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { useResendDelivery } from '../../../api/webhooks.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { canResend } from './delivery-states.ts'

export type ResendButtonProps = {
  readonly delivery: Delivery
  /** The endpoint it went to; absent when it was deleted. */
  readonly webhook: Webhook | undefined
  readonly quiet?: boolean
}

/** Sends one delivery again, with the same id and body; what keeps it from that is said beside it. */
export function ResendButton({ delivery, webhook, quiet = false }: ResendButtonProps) {
  const can = useCan()
  const resend = useResendDelivery()
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  if (webhook === undefined || !can('webhook:resend', webhook.externalPlatformID) || !canResend(delivery)) return null

  const { event } = delivery
  const isOff = webhook.status === 'inactive'
  const send = async () => {
    setSending(true)
    const { id: webhookId, externalPlatformID } = webhook
    const name = { projectId: String(externalPlatformID), webhookId, deliveryId: delivery.deliveryID }
    const found = await failureOf(() => resend(name))
    setFailure(found)
    setSending(false)
    if (found === undefined) toast.success(t`${event} is sent again`)
  }
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-2">
      {failure !== undefined && (
        <span role="alert" className="text-dense whitespace-normal text-danger-text">
          {failure}
        </span>
      )}
      <Button
        size={quiet ? 'small' : 'medium'}
        kind={quiet ? 'quiet' : 'secondary'}
        loading={isSending}
        disabled={isOff}
        {...(isOff ? { title: t`Turn the endpoint on first` } : {})}
        onClick={() => void send()}
      >
        {delivery.status === 'pending' ? (
          <Trans>
            Send now<span className="sr-only"> {event}</span>
          </Trans>
        ) : (
          <Trans>
            Resend<span className="sr-only"> {event}</span>
          </Trans>
        )}
      </Button>
    </span>
  )
}
