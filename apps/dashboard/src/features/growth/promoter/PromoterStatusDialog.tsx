import type { PromoterDetail } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { useGrowthChanges } from '../../../api/growth.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConsequencesDialog } from '../../../ui/overlays/ConsequencesDialog.tsx'

export type PromoterStatusDialogProps = {
  readonly projectId: string
  readonly promoter: PromoterDetail
  readonly onClose: () => void
}

/** Says what follows before a promoter is switched on or off. */
export function PromoterStatusDialog({ projectId, promoter, onClose }: PromoterStatusDialogProps) {
  const { setPromoterStatus } = useGrowthChanges(projectId)
  const { id, email, status } = promoter
  // What was asked stays: another operator may switch them meanwhile, and the press must not mean the contrary then.
  const [isActive] = useState(status === 'active')
  return (
    <ConsequencesDialog
      title={isActive ? t`Deactivate ${email}` : t`Activate ${email}`}
      consequences={
        isActive
          ? [t`Earns nothing new and can’t withdraw; owed rewards stay.`]
          : [t`Earns again from this moment on, and can withdraw what is owed.`]
      }
      action={isActive ? t`Deactivate` : t`Activate`}
      danger={isActive}
      onConfirm={async () => {
        const failure = await failureOf(() => setPromoterStatus(id, isActive ? 'inactive' : 'active'))
        if (failure === undefined) toast.success(isActive ? t`Promoter deactivated` : t`Promoter activated`)
        return failure
      }}
      onClose={onClose}
    />
  )
}
