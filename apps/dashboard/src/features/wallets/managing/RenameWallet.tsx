import { type Wallet, WalletChange } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'

import { useWalletChanges } from '../../../api/hot-wallets.ts'
import { useRequestForm } from '../../../api/request-form.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'

/** Gives a deposit wallet another name. */
export function RenameWallet({ wallet, onClose }: { wallet: Wallet; onClose: () => void }) {
  const { change } = useWalletChanges()
  const { form, failure } = useRequestForm(
    { name: wallet.name },
    (values) => fieldErrors(WalletChange, values),
    async (values) => {
      await change(wallet.id, values)
      toast.success(t`Saved`)
      onClose()
    },
  )
  return (
    <FormDialog
      title={t`Rename ${wallet.name}`}
      save={t`Save`}
      size={400}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <TextField {...form.field('name')} label={t`Name`} autoComplete="off" />
    </FormDialog>
  )
}
