import { Resolution } from '@kassa/contract/payments/resolution.ts'
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useState } from 'react'

import { asApiError } from '../../../api/api-error.ts'
import { useResolvePayment } from '../../../api/payment-repair.ts'
import { fieldErrors } from '../../../lib/field-errors.ts'
import { useForm } from '../../../lib/form.ts'
import { usdExact } from '../../../lib/format.ts'
import { shortReference } from '../../../lib/short-reference.ts'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { KeyValue } from '../../../ui/KeyValue.tsx'
import { TextArea } from '../../../ui/TextArea.tsx'
import { toast } from '../../../ui/toast.ts'
import { offerTexts } from './offer-texts.ts'
import type { Offer } from './offers.ts'
import { Refused } from './Refused.tsx'

export type ResolveDialogProps = {
  readonly payment: PaymentDetail
  readonly offer: Offer
  readonly onClose: () => void
}

/** Asks for the reason of a decision about a payment, after saying what follows from it. */
export function ResolveDialog({ payment, offer, onClose }: ResolveDialogProps) {
  const formId = useId()
  const resolve = useResolvePayment()
  const [failure, setFailure] = useState<unknown>()
  const { action, deposit } = offer
  const texts = offerTexts(payment, offer)
  const { label } = texts
  const form = useForm({
    initial: { note: '' },
    validate: ({ note }) => fieldErrors(Resolution, { action, note }),
    submit: async ({ note }) => {
      setFailure(undefined)
      try {
        await resolve(payment, { action, note: note.trim(), ...(deposit && { depositID: deposit.id }) })
        toast.success(texts.done)
        onClose()
      } catch (thrown) {
        const { fields } = asApiError(thrown)
        if (fields.note !== undefined) return { note: fields.note }
        setFailure(thrown)
      }
    },
  })
  const foot = (
    <>
      <Button onClick={onClose} disabled={form.sending}>
        <Trans>Leave as it is</Trans>
      </Button>
      <Button kind={action === 'unassign' ? 'danger' : 'primary'} type="submit" form={formId} loading={form.sending}>
        {label}
      </Button>
    </>
  )
  return (
    <Dialog title={t`${label}?`} locked={form.sending} onClose={onClose} foot={foot}>
      <form id={formId} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <p className="text-body text-muted">{subjectText(payment)}</p>
        <ul className="flex list-disc flex-col gap-1 ps-5 text-body">
          {texts.consequences.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        {deposit !== null && (
          <KeyValue
            rows={[
              ...(texts.reason === '' ? [] : [{ label: t`Why it waits`, value: texts.reason }]),
              { label: t`Transaction`, value: <Address value={deposit.txHash} label={t`transaction hash`} full /> },
            ]}
          />
        )}
        {failure !== undefined && <Refused thrown={failure} />}
        <TextArea
          {...form.field('note')}
          label={t`Note`}
          isRequired
          hint={t`Why, for whoever reads the timeline. Ctrl+Enter sends.`}
          rows={2}
        />
      </form>
    </Dialog>
  )
}

/** "Payment …7ea01b over $49.00 for ann@example.com". */
function subjectText({ referenceID, amountInUSD, customer }: PaymentDetail): string {
  const reference = shortReference(referenceID)
  const amount = usdExact(amountInUSD)
  const name = customer.email || customer.customer_id
  return t`Payment ${reference} over ${amount} for ${name}`
}
