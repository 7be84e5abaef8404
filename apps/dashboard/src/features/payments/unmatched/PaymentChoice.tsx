import { ownInvoice } from '@kassa/contract/payments/invoice.ts'
import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'

import { asRequestError } from '../../../api/request-error.ts'
import type { FieldProps } from '../../../lib/forms/form.ts'
import { usdExact } from '../../../lib/text/format.ts'
import { shortReference } from '../../../lib/text/short-reference.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { exactTime } from '../../../lib/time/time.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { RadioGroup } from '../../../ui/fields/RadioGroup.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { paymentBadge } from '../../../labels/payment-labels.ts'
import { useCandidates } from './useCandidates.ts'

export type PaymentChoiceProps = Omit<FieldProps<string>, 'onBlur'> & { readonly deposit: Deposit }

/** The payments of the deposit's customer that can take it, the likeliest first. */
export function PaymentChoice({ deposit, value, error, onChange }: PaymentChoiceProps) {
  const { hasCustomer, customerName, failure, retry, found, unlistedOwn } = useCandidates(deposit)
  if (!hasCustomer) {
    return (
      <p className="text-body">
        <Trans>It came to an address of no customer, so no payment can take it.</Trans>
      </p>
    )
  }
  if (failure !== null) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 text-body text-danger-text">
        <Trans>The customer’s payments couldn’t be loaded. {asRequestError(failure).message}</Trans>
        <Button size="small" onClick={retry}>
          <Trans>Try again</Trans>
        </Button>
      </div>
    )
  }
  if (found === undefined) {
    return (
      <div className="flex flex-col gap-2">
        <Skeleton height={44} />
        <Skeleton height={44} />
        <LoadingText text={t`Loading the customer’s payments`} />
      </div>
    )
  }
  const { fitting, undecided } = found
  const options = [...(unlistedOwn === null ? [] : [ownOption(unlistedOwn)]), ...fitting.map(optionOf)]
  const legend = customerName === undefined ? t`Payments of this customer` : t`Payments of ${customerName}`
  return (
    <div className="flex flex-col gap-2">
      {options.length > 0 && <RadioGroup legend={legend} options={options} value={value} onChange={onChange} />}
      {options.length === 0 && (
        <p className="text-body">
          <Trans>
            This customer has no open payment that can take it. Make a payment link for them first and choose its
            network and asset there, so that it can take money at once.
          </Trans>
        </p>
      )}
      {undecided > 0 && (
        <p className="text-dense text-muted">
          <Plural
            value={undecided}
            one="# payment waits for the customer to pick a currency and can take no money until then."
            other="# payments wait for the customer to pick a currency and can take no money until then."
          />
        </p>
      )}
      {error !== undefined && (
        <p role="alert" className="text-dense text-danger-text">
          {error}
        </p>
      )}
    </div>
  )
}

function ownOption(referenceID: string) {
  const reference = shortReference(referenceID)
  return { value: referenceID, label: t`The payment it came for, ${reference}` }
}

function optionOf(row: PaymentRow) {
  const { referenceId, exact, paymentStatus: state, fundingState, cancelReason } = row
  const invoiceId = ownInvoice({ invoiceID: row.invoiceId, referenceID: referenceId })
  const { currency = '' } = row
  const network = networkName(row.network ?? '')
  const { word } = paymentBadge({ state, fundingState, cancelReason: cancelReason ?? null })
  const facts = [exactTime(row.createdAt), invoiceId === '' ? '' : t`invoice ${invoiceId}`, shortReference(referenceId)]
  return {
    value: referenceId,
    label: [usdExact(exact.amountInUSD), word, t`${currency} on ${network}`].join(' · '),
    hint: facts.filter((fact) => fact !== '').join(' · '),
  }
}
