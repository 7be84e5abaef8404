import type { Sweep } from '@kassa/contract/sweeps/schemas.ts'
import { t } from '@lingui/core/macro'

import { useApprovalChanges } from '../../../api/sweep-approvals.ts'
import { ReleaseDialog } from './ReleaseDialog.tsx'

type ReleaseSweepProps = {
  readonly sweep: Sweep
  readonly onReleased: () => void
  readonly onClose: () => void
}

/** Asks before a sweep that an operator's wallet was to send is given up. */
export function ReleaseSweep({ sweep, onReleased, onClose }: ReleaseSweepProps) {
  const { cancel } = useApprovalChanges(sweep)
  return (
    <ReleaseDialog
      title={t`Release this sweep?`}
      text={t`Its addresses can be swept again.`}
      done={t`Released. Its addresses are approved again.`}
      onRelease={() => cancel(sweep.id)}
      onReleased={onReleased}
      onClose={onClose}
    />
  )
}
