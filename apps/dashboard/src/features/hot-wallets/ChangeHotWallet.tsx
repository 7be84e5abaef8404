import { WalletChange } from '@kassa/contract/wallets/schemas.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'

import { failureOf } from '../../api/form-failure.ts'
import { useWalletChanges } from '../../api/hot-wallets.ts'
import { useRequestForm } from '../../api/request-form.ts'
import { fieldErrors } from '../../lib/forms/field-errors.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { AmountField } from '../../ui/fields/AmountField.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { ConsequencesDialog } from '../../ui/overlays/ConsequencesDialog.tsx'

const CENTS = 2

/** Renames a hot wallet and sets its limit. */
export function ChangeHotWallet({ wallet, onClose }: { wallet: Wallet; onClose: () => void }) {
  const { change } = useWalletChanges()
  const { form, failure } = useRequestForm(
    { name: wallet.name, floatLimitInUSD: wallet.floatLimitInUSD ?? '' },
    (values) => fieldErrors(WalletChange, values),
    async (values) => {
      await change(wallet.id, values)
      toast.success(t`Saved`)
      onClose()
    },
  )
  return (
    <FormDialog
      title={t`Change ${wallet.name}`}
      save={t`Save`}
      size={400}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <TextField {...form.field('name')} label={t`Name`} autoComplete="off" />
      <AmountField {...form.field('floatLimitInUSD')} label={t`Limit`} currency="USD" decimals={CENTS} />
    </FormDialog>
  )
}

/** Takes a hot wallet out of use. */
export function DeactivateHotWallet({ wallet, onClose }: { wallet: Wallet; onClose: () => void }) {
  const { setStatus } = useWalletChanges()
  const { id, name } = wallet
  return (
    <ConsequencesDialog
      title={t`Deactivate ${name}`}
      consequences={[
        t`Nothing new is sent from it. What is under way is finished.`,
        t`Until another wallet is the default, what it is for waits.`,
        t`Its money stays there, watched; activate it again to use it.`,
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
