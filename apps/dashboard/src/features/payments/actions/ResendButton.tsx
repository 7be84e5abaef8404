import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { useCan } from '../../../api/me.ts'
import { useResendWebhook } from '../../../api/payment-repair.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

/** Sends the state of a payment to the shop once more; absent for operators who may not. */
export function ResendButton({ payment }: { payment: PaymentDetail }) {
  const can = useCan()
  const { isSending, failure, send } = useResend(payment)
  if (!can('webhook:resend', payment.externalPlatformID)) return null
  return (
    <>
      <Button size="small" loading={isSending} onClick={() => void send()}>
        <Trans>Resend webhook</Trans>
      </Button>
      {failure !== undefined && (
        <p role="alert" className="w-full text-dense text-danger-text">
          {failure}
        </p>
      )}
    </>
  )
}

export type Resend = {
  readonly isSending: boolean
  /** Why nothing was sent. */
  readonly failure: string | undefined
  readonly send: () => Promise<void>
}

/** Returns a function that sends the state of a payment to the shop once more. */
export function useResend(payment: PaymentDetail): Resend {
  const resend = useResendWebhook()
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const send = async () => {
    if (isSending) return
    setIsSending(true)
    setFailure(undefined)
    try {
      const sent = await resend(payment)
      if (sent === 0) setFailure(t`Nothing was sent: no active endpoint receives this event. Add one under Developers.`)
      else toast.success(t`On its way again to ${plural(sent, { one: '# endpoint', other: '# endpoints' })}.`)
    } catch (thrown) {
      setFailure(asRequestError(thrown).message)
    } finally {
      setIsSending(false)
    }
  }
  return { isSending, failure, send }
}
