/** The progress of a payout, as steps that are done or still to come. */
import type { WithdrawalDetail } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'

export type Way = { readonly steps: readonly string[]; readonly current: number }

/** Returns the steps of a payout and the current one; one past the last when it is final. */
export function wayOf(payout: WithdrawalDetail): Way {
  const { status, approvals, confirmations, confirmationRequired } = payout
  const { required, given } = approvals
  const counted = given.filter((one) => one.counts).length
  const steps = [
    t`Requested`,
    required === 0 ? t`No approval needed` : t`Approved ${counted}/${required}`,
    t`Held`,
    t`Signed`,
    status === 'sent' ? t`Sent ${confirmations}/${confirmationRequired}` : t({ message: 'Sent', context: 'a payout' }),
    t`Final`,
  ]
  return { steps, current: AT[status] ?? 1 }
}

const AT: Readonly<Record<string, number>> = { 'pending-approval': 1, pending: 3, initiated: 4, sent: 5, processed: 6 }
