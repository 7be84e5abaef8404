import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { lacksApprovers } from '@kassa/contract/withdrawals/waits.ts'
import { t } from '@lingui/core/macro'

import type { Can } from '../../../api/me.ts'
import { approverAdvice } from '../../../labels/payout-labels.ts'

/**
 * Returns why this operator cannot approve a payout that waits; undefined where nothing speaks against it. One that came back
 * with all the approvals it needs waits for any of its people to say so once more.
 */
export function approvalObstacle({ approvals, waits }: Withdrawal, ownId: number): string | undefined {
  if (isDeadEnd({ waits })) return approverAdvice({ waits })
  if (approvals.byOthersOnly) return t`Someone else must approve a payout you created.`
  const counting = approvals.given.filter(({ counts }) => counts)
  const isOwn = counting.some(({ memberID }) => memberID === ownId)
  return isOwn && counting.length < approvals.required ? t`You have already approved this payout.` : undefined
}

/** Whether nobody is left who may approve a payout that waits for it: it is offered to nobody. */
export function isDeadEnd({ waits }: Pick<Withdrawal, 'waits'>): boolean {
  return waits?.code === 'APPROVAL' && waits.params.able === 0 && lacksApprovers(waits.params)
}

/** Whether this operator decides about payouts of this type: those of rewards have a permission of their own. */
export function mayDecide(can: Can, { type, externalPlatformID }: Withdrawal): boolean {
  return can(type === 'withdrawal' ? 'referral_payout:approve' : 'payout:approve', externalPlatformID)
}
