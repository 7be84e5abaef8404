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
        t`Until you activate it again, no deposits are moved there, not even through a contract that ends there.`,
        t`Networks swept without a contract use another active cold wallet; while they have none, deposits stay where they are.`,
        t`On mainnet it is usable 24 hours after it is activated again, and every root gets an e-mail.`,
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

/** Deletes a cold wallet that no money has reached. */
export function DeleteColdWallet({ wallet: { id, name }, onClose }: Props) {
  const { remove } = useWalletChanges()
  return (
    <ConsequencesDialog
      title={t`Delete ${name}`}
      consequences={[
        t`It leaves this page. No money has arrived there.`,
        t`A contract that ends there moves no deposits any more.`,
        t`On mainnet, an address that is added again is used only 24 hours later.`,
      ]}
      action={t`Delete cold wallet`}
      onConfirm={async () => {
        const failure = await failureOf(() => remove(id))
        if (failure === undefined) toast.success(t`${name} was deleted`)
        return failure
      }}
      onClose={onClose}
    />
  )
}
