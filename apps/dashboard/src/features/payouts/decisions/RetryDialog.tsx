import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'
import { useState } from 'react'

import { usePayoutChanges } from '../../../api/payouts.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { decisionFailure } from './decision-texts.ts'

/** Asks for the highest network fee of the next try. It takes the place of the transaction that is stuck. */
export function RetryDialog({ payout, onClose }: { payout: Withdrawal; onClose: () => void }) {
  const { retry } = usePayoutChanges()
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: { maxFee: '' },
    validate: ({ maxFee }) =>
      maxFee === '' || /^\d+(\.\d+)?$/.test(maxFee) ? {} : { maxFee: t`Enter an amount such as 0.01` },
    submit: async ({ maxFee }) => {
      setFailure(undefined)
      try {
        await retry(payout.id, maxFee === '' ? null : maxFee)
        toast.success(t`It is sent again with a higher fee.`)
        onClose()
      } catch (thrown) {
        setFailure(decisionFailure(thrown))
      }
    },
  })
  return (
    <FormDialog
      title={t`Raise the network fee?`}
      save={t`Send again`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <p className="text-body text-muted">{t`Same transaction slot: it can’t be paid twice.`}</p>
      <TextField
        {...form.field('maxFee')}
        label={t`Highest network fee`}
        hint={t`In the coin of the network. Empty: half as much again as before.`}
        inputMode="decimal"
      />
    </FormDialog>
  )
}
