import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { paymentQuery, useCancelPayment } from '../../../api/payments.ts'
import type { PaymentName } from '../../../api/payments.ts'
import { usdExact } from '../../../lib/text/format.ts'
import { shortReference } from '../../../lib/text/short-reference.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { cancelOffReason } from '../actions/offers.ts'

export type CancelDialogProps = {
  readonly payment: PaymentName
  readonly amountInUSD: string
  readonly customer: string
  readonly onClose: () => void
}

/** Asks before an open link ends; says so when it has ended or was paid meanwhile. */
export function CancelDialog({ payment, amountInUSD, customer, onClose }: CancelDialogProps) {
  const cancel = useCancelPayment()
  const [failure, setFailure] = useState<string>()
  const { data: now } = useQuery(paymentQuery(String(payment.externalPlatformID), payment.referenceID))
  const offReason = now && cancelOffReason(now)
  const confirm = async () => {
    setFailure(undefined)
    try {
      await cancel(payment)
      toast.success(t`The link is cancelled.`)
      onClose()
    } catch (thrown) {
      setFailure(asRequestError(thrown).message)
    }
  }
  const reference = shortReference(payment.referenceID)
  const amount = usdExact(amountInUSD)
  return (
    <ConfirmDialog
      title={t`Cancel this link?`}
      action={t`Cancel link`}
      keep={offReason === undefined ? t`Keep link` : t`Close`}
      offReason={offReason}
      failure={offReason === undefined ? failure : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        <Trans>
          Payment {reference} of {amount} for {customer} can no longer be paid. You can make a new link any time.
        </Trans>
      </p>
    </ConfirmDialog>
  )
}
