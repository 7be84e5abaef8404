import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'

import { usePayoutChanges } from '../../../api/payouts.ts'
import { RaiseFeeDialog } from '../../../ui/forms/RaiseFeeDialog.tsx'
import { decisionFailure } from './decision-texts.ts'

/** Sends a stuck payout again with a higher network fee. */
export function RetryDialog({ payout, onClose }: { payout: Withdrawal; onClose: () => void }) {
  const { retry } = usePayoutChanges()
  return (
    <RaiseFeeDialog
      text={t`Same transaction slot: it can’t be paid twice.`}
      onSend={(maxFee) => retry(payout.id, maxFee)}
      failureText={decisionFailure}
      onClose={onClose}
    />
  )
}
