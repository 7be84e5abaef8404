import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { asRequestError } from '../../../api/request-error.ts'
import { useRequestForm } from '../../../api/request-form.ts'
import { useFactorChanges } from '../../../api/second-factor.ts'
import { deviceName } from '../../../labels/people/device-name.ts'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'

export type PasskeyDialogProps = {
  /** With the backup codes, when it is the first factor. */
  readonly onAdded: (backupCodes: readonly string[] | null) => void
  readonly onClose: () => void
}

const LONGEST_NAME = 50

/** Makes a passkey under a name by which its owner knows it again. */
export function PasskeyDialog({ onAdded, onClose }: PasskeyDialogProps) {
  const { addPasskey } = useFactorChanges()
  const { form, failure } = useRequestForm(
    { name: deviceName(navigator.userAgent).slice(0, LONGEST_NAME) },
    ({ name }) => (name.trim() === '' ? { name: t`Name is required` } : {}),
    async ({ name }) => {
      try {
        const added = await addPasskey(name)
        if (added === undefined) return t`No passkey was made. Try again, or close this.`
        onAdded(added.backupCodes)
      } catch (thrown) {
        if (asRequestError(thrown).code !== 'ANSWER_UNREADABLE') throw thrown
        return t`This device could not make a passkey.`
      }
    },
  )
  return (
    <FormDialog
      title={t`Add a passkey`}
      save={t`Make passkey`}
      size={400}
      sending={form.sending}
      failure={failure}
      isSafe
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <p className="text-body">
        <Trans>Your phone, computer or security key keeps it, and asks for your finger, face or PIN.</Trans>
      </p>
      <TextField {...form.field('name')} label={t`Name`} maxLength={LONGEST_NAME} />
    </FormDialog>
  )
}
