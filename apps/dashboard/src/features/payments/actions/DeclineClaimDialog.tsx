import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useDeclineClaim } from '../../../api/payment-repair.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import type { Claim } from './refund.ts'

export type DeclineClaimProps = { readonly payment: PaymentDetail; readonly claim: Claim; readonly onClose: () => void }

/** Declines the claim that the operator looked at; one that replaced it meanwhile is refused. */
export function DeclineClaimDialog({ payment, claim, onClose }: DeclineClaimProps) {
  const decline = useDeclineClaim()
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: { note: '' },
    validate: () => ({}),
    submit: async ({ note }) => {
      setFailure(undefined)
      try {
        await decline(payment, claim.id, note.trim())
        toast.success(t`The claimed refund is declined.`)
        onClose()
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['note'])
        setFailure(text)
        return fields
      }
    },
  })
  return (
    <FormDialog
      title={t`Decline the refund?`}
      save={t`Decline refund`}
      danger
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <p className="text-body">
        <Trans>It is for good: no other address can be named with the payment’s link. You can still refund.</Trans>
      </p>
      <Address value={claim.address} label={t`address`} full />
      <TextArea {...form.field('note')} label={t`Note`} hint={t`The payer reads it.`} rows={2} />
    </FormDialog>
  )
}
