import { t } from '@lingui/core/macro'
import { useState } from 'react'

import { useForm } from '../../lib/forms/form.ts'
import { toast } from '../feedback/toast.ts'
import { TextField } from '../fields/TextField.tsx'
import { FormDialog } from './FormDialog.tsx'

export type RaiseFeeDialogProps = {
  /** Says that nothing happens twice. */
  readonly text: string
  /** Said once it is taken; absent where the server sends it again by itself. */
  readonly done?: string
  /** Null: half as much again as before. */
  readonly onSend: (maxFee: string | null) => Promise<unknown>
  readonly failureText: (thrown: unknown) => string
  readonly onClose: () => void
}

/** Asks for the highest network fee of the next try. It takes the place of the transaction that is stuck. */
export function RaiseFeeDialog({ text, done, onSend, failureText, onClose }: RaiseFeeDialogProps) {
  const [failure, setFailure] = useState<string>()
  const form = useForm({
    initial: { maxFee: '' },
    validate: ({ maxFee }) =>
      maxFee === '' || /^\d+(\.\d+)?$/.test(maxFee) ? {} : { maxFee: t`Enter an amount such as 0.01` },
    submit: async ({ maxFee }) => {
      setFailure(undefined)
      try {
        await onSend(maxFee === '' ? null : maxFee)
        toast.success(done ?? t`It is sent again with a higher fee.`)
        onClose()
      } catch (thrown) {
        setFailure(failureText(thrown))
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
      <p className="text-body text-muted">{text}</p>
      <TextField
        {...form.field('maxFee')}
        label={t`Highest network fee`}
        hint={t`In the coin of the network. Empty: half as much again as before.`}
        inputMode="decimal"
      />
    </FormDialog>
  )
}
