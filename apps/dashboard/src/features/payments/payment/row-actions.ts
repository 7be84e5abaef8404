import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'

import type { PaymentName } from '../../../api/payments.ts'
import { usdExact } from '../../../lib/text/format.ts'
import { shortReference } from '../../../lib/text/short-reference.ts'

/** Returns what a row is called where its actions are read out: "payment …7ea01b". */
export function rowName({ referenceId }: PaymentRow): string {
  const reference = shortReference(referenceId)
  return t`payment ${reference}`
}

/** Returns the name of a row in a list of results. */
export function rowTitle({ exact, email, customerId }: PaymentRow): string {
  return `${usdExact(exact.amountInUSD)} · ${email ?? customerId}`
}

/** Returns the payment of a row as calls name it. */
export function paymentOf({ externalPlatformID, referenceId }: PaymentRow): PaymentName {
  return { externalPlatformID, referenceID: referenceId }
}

/** Returns why the link of a row cannot be cancelled, as far as a row tells; `undefined` when it can. */
export function cannotCancelRow({ paymentStatus, fundingState }: PaymentRow): string | undefined {
  if (paymentStatus === 'CANCELLED') return t`It has ended already.`
  if (paymentStatus === 'FILLED' || paymentStatus === 'OVER_FILLED') return t`It is paid already.`
  const isUntouched = fundingState === 'none' || fundingState === 'reverted'
  return paymentStatus === 'OPEN' && isUntouched ? undefined : t`Money has already been seen.`
}
