import { Resolution } from '@kassa/contract/payments/resolution.ts'
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { meQuery } from '../../../api/me.ts'
import { useResolvePayment } from '../../../api/payment-repair.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { usdExact } from '../../../lib/text/format.ts'
import { shortReference } from '../../../lib/text/short-reference.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { hasDecidedSince, newsSince } from '../payment/timeline-entries.ts'
import { WhileYouWait } from './WhileYouWait.tsx'
import { offerTexts } from './offer-texts.ts'
import type { OfferTexts } from './offer-texts.ts'
import { whyOvertaken } from './offers.ts'
import type { Offer } from './offers.ts'
import { ActionRefused } from './ActionRefused.tsx'

export type ResolveDialogProps = {
  /** The current state: it may change while the dialog is open. */
  readonly payment: PaymentDetail
  /** The state when the dialog was opened. */
  readonly offer: Offer
  readonly onClose: () => void
}

/**
 * Asks for the reason of a decision about a payment, after saying what the decision causes. If another operator decided first, it
 * says so, and keeps the typed text.
 */
export function ResolveDialog({ payment, offer, onClose }: ResolveDialogProps) {
  const [before] = useState(payment)
  const { data: me } = useQuery(meQuery)
  const resolve = useResolvePayment()
  const [failure, setFailure] = useState<unknown>()
  const { action, deposit } = offer
  const form = useForm({
    initial: { note: '' },
    validate: ({ note }) => fieldErrors(Resolution, { action, note }),
    submit: async ({ note }) => {
      setFailure(undefined)
      try {
        await resolve(payment, { action, note: note.trim(), ...(deposit && { depositID: deposit.id }) })
        toast.success(offerTexts(before, offer).done)
        onClose()
      } catch (thrown) {
        const { fields } = asRequestError(thrown)
        if (fields.note !== undefined) return { note: fields.note }
        setFailure(thrown)
      }
    },
  })
  // A change that this dialog made itself is not reported as news.
  const overtaken = form.sending ? undefined : whyOvertaken(payment, offer)
  const texts = offerTexts(form.sending || overtaken !== undefined ? before : payment, offer)
  const { label } = texts
  const note = form.values.note.trim()
  // The response to the operator's own decision may have been lost.
  const isTaken = me !== undefined && hasDecidedSince(before, payment, me.id, note)
  return (
    <FormDialog
      title={t`${label}?`}
      save={label}
      cancel={overtaken === undefined ? t`Cancel` : t`Close`}
      danger={action === 'unassign'}
      sending={form.sending}
      offReason={overtaken}
      isSafe={isTaken}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      {overtaken !== undefined && (
        <WhileYouWait news={newsSince(before, payment, me?.id)} reason={overtaken} hasNote={note !== '' && !isTaken} />
      )}
      <p className="text-body text-muted">{subjectText(payment)}</p>
      {overtaken === undefined && <Consequences offer={offer} texts={texts} />}
      {failure !== undefined && overtaken === undefined && <ActionRefused thrown={failure} />}
      <TextArea
        {...form.field('note')}
        label={t`Note`}
        isRequired={overtaken === undefined}
        hint={overtaken === undefined ? t`The reason, shown in the timeline. Ctrl+Enter sends.` : undefined}
        rows={2}
      />
    </FormDialog>
  )
}

/** What the decision causes, and the money it concerns. */
function Consequences({ offer: { deposit }, texts }: { offer: Offer; texts: OfferTexts }) {
  return (
    <>
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
    </>
  )
}

/** "Payment …7ea01b over $49.00 for ann@example.com". */
function subjectText({ referenceID, amountInUSD, customer }: PaymentDetail): string {
  const reference = shortReference(referenceID)
  const amount = usdExact(amountInUSD)
  const name = customer.email || customer.customer_id
  return t`Payment ${reference} of ${amount} for ${name}`
}
