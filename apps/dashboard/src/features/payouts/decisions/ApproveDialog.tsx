import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'
import { useState } from 'react'

import { usePayoutChanges } from '../../../api/payouts.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { approvedText, decisionFailure } from './decision-texts.ts'
import { PayoutReview } from './PayoutReview.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

/** Shows what is approved, unshortened; a second factor then confirms exactly that. */
export function ApproveDialog({ payout, onClose }: { payout: Withdrawal; onClose: () => void }) {
  const { approve } = usePayoutChanges()
  const [failure, setFailure] = useState<string>()
  const confirm = async () => {
    setFailure(undefined)
    try {
      toast.success(approvedText(await approve(payout.id, payout.digest)))
      onClose()
    } catch (thrown) {
      setFailure(decisionFailure(thrown))
    }
  }
  return (
    <ConfirmDialog
      title={t`Approve this payout?`}
      action={t`Approve payout`}
      danger={false}
      failure={failure}
      onConfirm={confirm}
      onClose={onClose}
    >
      <PayoutReview payout={payout} />
    </ConfirmDialog>
  )
}
