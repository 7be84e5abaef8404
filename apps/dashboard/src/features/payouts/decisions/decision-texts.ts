import type { ApprovedList, Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { asRequestError } from '../../../api/request-error.ts'

/** Returns what an approval caused. */
export function approvedText({ status, approvals }: Withdrawal): string {
  if (status !== 'pending-approval') return t`Approved. The payout is sent as soon as the hot wallet can pay it.`
  const left = approvals.required - approvals.given.filter(({ counts }) => counts).length
  return plural(left, { one: 'Approved. # more approval is needed.', other: 'Approved. # more approvals are needed.' })
}

/** Returns what an approval of several payouts caused. */
export function approvedAllText(payouts: ApprovedList['payouts']): string {
  const left = payouts.filter(({ status }) => status === 'pending-approval').length
  const approved = plural(payouts.length, { one: '# payout approved.', other: '# payouts approved.' })
  if (left === 0) return approved
  return t`${approved} ${plural(left, { one: '# needs more approvals.', other: '# need more approvals.' })}`
}

/** Returns why an approval of several payouts was refused, and because of which; none of them was approved. */
export function listFailure(thrown: unknown): string {
  const failure = asRequestError(thrown)
  const id = failure.data?.['payoutID']
  const why = decisionFailure(thrown)
  return typeof id === 'number' ? t`None was approved, because of payout ${String(id)}: ${why}` : why
}

/** Returns why a decision was refused: nothing has left the wallet. */
export function decisionFailure(thrown: unknown): string {
  const failure = asRequestError(thrown)
  if (failure.code === 'STEP_UP_MISMATCH') return t`The payout has changed since you saw it. Look at it again.`
  if (failure.code === 'PAYOUT_NOT_PENDING') return t`Another operator has decided about this payout already.`
  return failure.message
}
