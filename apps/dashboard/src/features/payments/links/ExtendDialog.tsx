import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useExtendPayment } from '../../../api/payments.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { dayAndMinute } from '../../../lib/time/time.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { RadioGroup } from '../../../ui/fields/RadioGroup.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { laterEnd, laterEnds } from './later-end.ts'

type ExtendDialogProps = { readonly payment: PaymentDetail; readonly onClose: () => void }

/** Moves the end of an open link to a later time. */
export function ExtendDialog({ payment, onClose }: ExtendDialogProps) {
  const extend = useExtendPayment()
  const [failure, setFailure] = useState<string>()
  const [options] = useState(() => laterEnds(payment.expiresAt, new Date()))
  const form = useForm({
    initial: { choice: options[0]?.value ?? '', time: '' },
    validate: (values): { readonly time?: string } =>
      laterEnd(values) === undefined ? { time: t`Choose day and time.` } : {},
    submit: async (values) => {
      setFailure(undefined)
      const end = laterEnd(values)
      if (end === undefined) return
      try {
        const { expiresAt } = await extend(payment, end)
        const until = dayAndMinute(expiresAt)
        toast.success(t`The link can be paid until ${until}.`)
        onClose()
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['expiresAt'])
        setFailure(text)
        return fields['expiresAt'] === undefined ? {} : { time: fields['expiresAt'] }
      }
    },
  })
  const { choice } = form.values
  const end = dayAndMinute(payment.expiresAt)
  // Only a stable currency lets a link with money be extended.
  const { paymentState, fundingState } = payment
  const hasMoney = paymentState === 'PARTIALLY_FILLED' || fundingState === 'detected' || fundingState === 'confirming'
  return (
    <FormDialog
      title={t`Extend this link?`}
      save={t`Extend link`}
      sending={form.sending}
      failure={failure}
      isSafe
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <p className="text-body">
        {hasMoney ? (
          <Trans>
            The link ends {end} at present. The rest can be paid until the new end, at the rate of the first part.
          </Trans>
        ) : (
          <Trans>
            The link ends {end} at present. The locked rate is not extended: when it ends, the customer gets a new one.
          </Trans>
        )}
      </p>
      <RadioGroup
        legend={t`From now`}
        options={options}
        value={choice}
        onChange={(value) => form.set({ choice: value })}
      />
      {choice === 'time' && (
        <TextField
          {...form.field('time')}
          type="datetime-local"
          label={t`Until`}
          hint={t`At most 7 days from now.`}
          isRequired
        />
      )}
    </FormDialog>
  )
}
