import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'

import { useChangePassword } from '../../api/change-password.ts'
import { useForm } from '../../lib/forms/form.ts'
import { SPEC_TEXTS } from '../../lib/text/spec-texts.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { PasswordChecklist } from '../../ui/fields/PasswordChecklist.tsx'
import { PasswordField } from '../../ui/fields/PasswordField.tsx'
import { dismissToast, toast } from '../../ui/feedback/toast.ts'
import { changePasswordErrors, changePasswordFailure } from './password-rules/change-password-rules.ts'
import { throttledSeconds } from './attempts/sign-in-error.ts'
import { useCountdown } from './attempts/useCountdown.ts'

export type ChangePasswordDialogProps = {
  /** Whose password it is: a password manager then updates the right entry. */
  readonly email: string
  readonly onClose: () => void
}

/** Takes the current password and a new one; closes when the server took it. */
export function ChangePasswordDialog({ email, onClose }: ChangePasswordDialogProps) {
  const changePassword = useChangePassword()
  const current = useRef<HTMLInputElement>(null)
  const refusal = useRef<number>(undefined)
  const [failure, setFailure] = useState<string>()
  const [waitSeconds, setWaitSeconds] = useCountdown()

  const form = useForm({
    initial: { oldPassword: '', password: '', confirmation: '' },
    validate: changePasswordErrors,
    submit: async ({ oldPassword, password }) => {
      setFailure(undefined)
      // What was refused before is not said of this try.
      if (refusal.current !== undefined) dismissToast(refusal.current)
      try {
        toast.success(await changePassword({ oldPassword, password }))
        onClose()
      } catch (thrown) {
        const { text, fields } = changePasswordFailure(thrown)
        refusal.current = toast.error(text)
        if (Object.keys(fields).length > 0) return fields
        setFailure(text)
        setWaitSeconds(throttledSeconds(thrown))
      }
    },
  })

  const foot = (
    <>
      <Button onClick={() => !form.sending && onClose()}>
        <Trans>Cancel</Trans>
      </Button>
      <Button kind="primary" type="submit" form="change-password" loading={form.sending} disabled={waitSeconds > 0}>
        {waitSeconds > 0 ? t`Try again in ${waitSeconds} s` : t`Change password`}
      </Button>
    </>
  )
  return (
    <Dialog
      title={t(SPEC_TEXTS.changePassword)}
      size={400}
      locked={form.sending}
      initialFocus={current}
      onClose={onClose}
      foot={foot}
    >
      <form id="change-password" noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          {...form.field('oldPassword')}
          ref={current}
          label={t`Current password`}
          autoComplete="current-password"
        />
        <PasswordField
          {...form.field('password')}
          label={t`New password`}
          autoComplete="new-password"
          hint={t`At least 8 characters.`}
        />
        <PasswordChecklist value={form.values.password} />
        <PasswordField {...form.field('confirmation')} label={t`Confirm password`} autoComplete="new-password" />
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      </form>
    </Dialog>
  )
}
