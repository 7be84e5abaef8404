import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { asRequestError } from '../../../api/request-error.ts'

/** Returns what an approval caused. */
export function approvedText({ status, approvals }: Withdrawal): string {
  if (status !== 'pending-approval') return t`Approved. The payout is sent as soon as the hot wallet can pay it.`
  const left = approvals.required - approvals.given.filter(({ counts }) => counts).length
  return plural(left, { one: 'Approved. # more approval is needed.', other: 'Approved. # more approvals are needed.' })
}

/** Returns why a decision was refused: nothing has left the wallet. */
export function decisionFailure(thrown: unknown): string {
  const failure = asRequestError(thrown)
  if (failure.code === 'STEP_UP_MISMATCH') return t`The payout has changed since you saw it. Look at it again.`
  if (failure.code === 'PAYOUT_NOT_PENDING') return t`Another operator has decided about this payout already.`
  return failure.message
}
