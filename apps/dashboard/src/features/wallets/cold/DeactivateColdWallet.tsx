import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'

import { failureOf } from '../../../api/form-failure.ts'
import { useWalletChanges } from '../../../api/hot-wallets.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConsequencesDialog } from '../../../ui/overlays/ConsequencesDialog.tsx'

type Props = { readonly wallet: Wallet; readonly onClose: () => void }

/** Takes a cold wallet out of use; activated again it waits like a new one. */
export function DeactivateColdWallet({ wallet: { id, name }, onClose }: Props) {
  const { setStatus } = useWalletChanges()
  return (
    <ConsequencesDialog
      title={t`Deactivate ${name}`}
      consequences={[
        t`No deposits are moved there until you activate it again.`,
        t`On mainnet it is usable 24 hours after that, and every root gets a mail.`,
      ]}
      action={t`Deactivate`}
      onConfirm={async () => {
        const failure = await failureOf(() => setStatus(id, 'inactive'))
        if (failure === undefined) toast.success(t`${name} is inactive`)
        return failure
      }}
      onClose={onClose}
    />
  )
}
