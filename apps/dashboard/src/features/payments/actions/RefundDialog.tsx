import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { payableRecipientsQuery, usePayoutChanges } from '../../../api/payouts.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { paths } from '../../../lib/paths.ts'
import { assetAmount, shortAddress } from '../../../lib/text/format.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { RadioGroup } from '../../../ui/fields/RadioGroup.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { ClaimedAddress } from './ClaimedAddress.tsx'
import { sourcesOf } from './refund-sources.ts'
import {
  amountOf,
  kindsOf,
  recipientsFor,
  refundProblems,
  type RefundValues,
  sourceOf,
  sourceOfClaim,
  sourceText,
  toRefund,
  valuesThatCount,
} from './refund.ts'

/** Gives money of a payment back, never more than came in: a payout like any other, that names its payment. */
export function RefundDialog({ payment: now, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  // What is confirmed is what was looked at: a deposit that comes or goes meanwhile must not change amount or currency.
  const [payment] = useState(now)
  const hasChanged = JSON.stringify(sourcesOf(now)) !== JSON.stringify(sourcesOf(payment))
  const { create } = usePayoutChanges()
  const projectId = String(payment.externalPlatformID)
  const { data: known = [] } = useQuery(payableRecipientsQuery(projectId))
  const [isReview, setIsReview] = useState(false)
  const [failure, setFailure] = useState<string>()
  // The same holds for the claim: one that replaces it meanwhile is another.
  const [claim] = useState(() => (payment.refundClaim?.status === 'open' ? payment.refundClaim : null))
  const first = { source: sourceOfClaim(payment, claim) }
  const [kind] = kindsOf(payment, first)
  const initial: RefundValues = { ...first, kind: kind?.value ?? 'custom', amount: '', recipientID: '', note: '' }
  const claimed = known.find(
    ({ status, address, blockchainCode }) =>
      status === 'active' && address === claim?.address && blockchainCode === claim.blockchainCode,
  )
  const chosen = (typed: RefundValues) => valuesThatCount(payment, typed, known, claimed)
  const form = useForm({
    initial,
    validate: (values) => refundProblems(payment, chosen(values)),
    submit: async (typed) => {
      const values = chosen(typed)
      setFailure(undefined)
      if (!isReview) return setIsReview(true)
      try {
        const payout = await create(
          projectId,
          toRefund(payment, values, values.recipientID === String(claimed?.id) ? claim : null),
        )
        toast.success(
          payout.status === 'pending'
            ? t`The refund is on its way.`
            : t`The refund waits for approval, like any payout.`,
        )
        onClose()
      } catch (thrown) {
        setFailure(formFailure(thrown, []).text)
      }
    },
  })
  const values = chosen(form.values)
  const source = sourceOf(payment, values)
  const recipients = recipientsFor(source, known)
  const recipient = recipients.find(({ id }) => String(id) === values.recipientID)
  // One that can no longer be paid is chosen anew, and reviewed.
  if (isReview && recipient === undefined) setIsReview(false)
  if (source === undefined) return null
  const sources = sourcesOf(payment)
  const most = assetAmount(source.amount, source.currencyCode)
  const overtaken =
    hasChanged && !form.sending
      ? t`What can be refunded has changed meanwhile. Close this and look at the payment again.`
      : undefined
  return (
    <FormDialog
      title={t`Refund payment`}
      save={isReview ? t`Create refund` : t`Review refund`}
      cancel={isReview ? t`Close` : t`Cancel`}
      sending={form.sending}
      offReason={overtaken}
      failure={overtaken ?? failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      {isReview && recipient !== undefined ? (
        <KeyValue
          rows={[
            {
              label: t`Amount`,
              value: <Amount value={amountOf(payment, values)} currency={source.currencyCode} full />,
            },
            { label: t`To`, value: <Address value={recipient.address} name={recipient.name} full /> },
            { label: t`Network`, value: networkName(source.blockchainCode) },
            { label: t`Refund of`, value: payment.referenceID },
          ]}
        />
      ) : (
        <>
          {sources.length > 1 && (
            <Select
              {...form.field('source')}
              label={t`Currency`}
              options={sources.map((one, at) => ({ value: String(at), label: sourceText(one) }))}
            />
          )}
          <RadioGroup
            legend={t`How much`}
            value={values.kind}
            options={kindsOf(payment, values)}
            onChange={(value) => form.set({ kind: value as RefundValues['kind'] })}
          />
          {values.kind === 'custom' && (
            <TextField
              {...form.field('amount')}
              label={t`Amount`}
              isRequired
              inputMode="decimal"
              suffix={source.currencyCode}
              hint={t`At most ${most} can be refunded for this payment.`}
            />
          )}
          {claim !== null && <ClaimedAddress claim={claim} isSaved={claimed !== undefined} projectId={projectId} />}
          <Select
            {...form.field('recipientID')}
            value={values.recipientID}
            label={t`To`}
            isRequired
            options={[
              { value: '', label: t`Choose a recipient` },
              ...recipients.map(({ id, name, address }) => ({
                value: String(id),
                label: `${name} · ${shortAddress(address)}`,
              })),
            ]}
            hint={
              <Trans>
                The sender’s address may belong to an exchange; ask the customer where to send it.{' '}
                <TextLink href={paths.recipients({ projectId })}>Add recipient</TextLink>
              </Trans>
            }
          />
          <TextArea {...form.field('note')} label={t`Note`} rows={2} />
        </>
      )}
    </FormDialog>
  )
}
