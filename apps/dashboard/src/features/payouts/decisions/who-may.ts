import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'

import type { Can } from '../../../api/me.ts'

/** Returns why this operator cannot approve a payout that waits; undefined where nothing speaks against it. */
export function approvalObstacle({ approvals }: Withdrawal, ownId: number): string | undefined {
  const own = approvals.given.find(({ memberID, counts }) => memberID === ownId && counts)
  return own === undefined ? undefined : t`You have already approved this payout.`
}

/** Whether this operator decides about payouts of this type: those of rewards have a permission of their own. */
export function mayDecide(can: Can, { type, externalPlatformID }: Withdrawal): boolean {
  return can(type === 'withdrawal' ? 'referral_payout:approve' : 'payout:approve', externalPlatformID)
}
