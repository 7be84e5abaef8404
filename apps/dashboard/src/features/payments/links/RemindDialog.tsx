import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { useRemindCustomer } from '../../../api/payments.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'

type RemindDialogProps = { readonly payment: PaymentDetail; readonly onClose: () => void }

/** Asks before the customer of an open link gets its one reminder. */
export function RemindDialog({ payment, onClose }: RemindDialogProps) {
  const remind = useRemindCustomer()
  const [failure, setFailure] = useState<string>()
  const { email } = payment.customer
  const confirm = async () => {
    setFailure(undefined)
    try {
      await remind(payment)
      toast.success(t`The reminder is on its way.`)
      onClose()
    } catch (thrown) {
      const { message, details } = asRequestError(thrown)
      setFailure(details ?? message)
    }
  }
  return (
    <ConfirmDialog
      title={t`Remind the customer?`}
      action={t`Send reminder`}
      danger={false}
      failure={failure}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        <Trans>{email} gets an e-mail with the link now, and no other one about this payment.</Trans>
      </p>
    </ConfirmDialog>
  )
}
