import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'

/** Returns why this operator cannot approve a payout that waits; undefined where nothing speaks against it. */
export function approvalObstacle({ approvals }: Withdrawal, ownId: number): string | undefined {
  const own = approvals.given.find(({ memberID, counts }) => memberID === ownId && counts)
  return own === undefined ? undefined : t`You have already approved this payout.`
}
