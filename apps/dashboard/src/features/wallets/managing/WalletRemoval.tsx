import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'

import { failureOf } from '../../../api/form-failure.ts'
import { useWalletChanges } from '../../../api/hot-wallets.ts'
import { useUnlinkWallet } from '../../../api/wallets.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { ConsequencesDialog } from '../../../ui/overlays/ConsequencesDialog.tsx'

type Props = { readonly wallet: Wallet; readonly onClose: () => void }

type EndProps = Props & { readonly consequences: readonly string[] }

/** Takes a wallet out of use, once its consequences were read. */
export function DeactivateDialog({ wallet: { id, name }, consequences, onClose }: EndProps) {
  const { setStatus } = useWalletChanges()
  return (
    <ConsequencesDialog
      title={t`Deactivate ${name}`}
      consequences={consequences}
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

/** Deletes a wallet, once the consequences were read. */
export function DeleteDialog({ wallet: { id, name }, consequences, action, onClose }: EndProps & { action: string }) {
  const { remove } = useWalletChanges()
  return (
    <ConsequencesDialog
      title={t`Delete ${name}`}
      consequences={consequences}
      action={action}
      onConfirm={async () => {
        const failure = await failureOf(() => remove(id))
        if (failure === undefined) toast.success(t`${name} was deleted`)
        return failure
      }}
      onClose={onClose}
    />
  )
}

/** Takes a deposit wallet out of use; assigned addresses stay watched. */
export function DeactivateWallet(props: Props) {
  const consequences = [
    t`It assigns no new addresses to customers. Assigned ones stay watched and are swept.`,
    t`It can be linked to no project until you activate it again.`,
  ]
  return <DeactivateDialog {...props} consequences={consequences} />
}

/** Deletes a deposit wallet that no customer has an address of. */
export function DeleteWallet(props: Props) {
  const consequences = [
    t`It leaves this page. None of its addresses was assigned to a customer.`,
    t`Its key or contract stays yours, whatever happens here.`,
  ]
  return <DeleteDialog {...props} consequences={consequences} action={t`Delete wallet`} />
}

type UnlinkProps = Props & { readonly project: { readonly id: number; readonly name: string } }

/** Takes a deposit wallet from a project, which has none of the family afterwards. */
export function UnlinkWallet({ wallet, project, onClose }: UnlinkProps) {
  const unlink = useUnlinkWallet()
  const [{ name }, projectName] = [wallet, project.name]
  return (
    <ConsequencesDialog
      title={t`Unlink ${projectName} from ${name}`}
      consequences={[
        t`New customers of ${projectName} get no address on these networks until you link another wallet: they can’t pay there.`,
        t`On mainnet, another wallet than this one serves them 24 hours after you link it.`,
        t`Customers who have an address keep it, and what arrives there is credited.`,
      ]}
      action={t`Unlink`}
      onConfirm={async () => {
        const failure = await failureOf(() => unlink(project.id, wallet.id))
        if (failure === undefined) toast.success(t`${projectName} is unlinked`)
        return failure
      }}
      onClose={onClose}
    />
  )
}

/** Withdraws that a wallet takes the place of the one a project has. */
export function WithdrawLink({ wallet, project, onClose }: UnlinkProps) {
  const unlink = useUnlinkWallet()
  const [{ name }, projectName] = [wallet, project.name]
  return (
    <ConsequencesDialog
      title={t`Withdraw the change to ${name}`}
      consequences={[
        t`New customers of ${projectName} go on getting addresses of its present wallet.`,
        t`Linking “${name}” again starts the 24 hours anew.`,
      ]}
      action={t`Withdraw`}
      keep={t`Let it take effect`}
      onConfirm={async () => {
        const failure = await failureOf(() => unlink(project.id, wallet.id))
        if (failure === undefined) toast.success(t`The change was withdrawn`)
        return failure
      }}
      onClose={onClose}
    />
  )
}
