import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { RequestError } from '../../api/request-error.ts'
import { signUp } from '../../api/auth.ts'
import { useForm } from '../../lib/forms/form.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { PasswordChecklist } from '../../ui/fields/PasswordChecklist.tsx'
import { PasswordField } from '../../ui/fields/PasswordField.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { PublicForm } from './public-form/PublicForm.tsx'
import { authErrorText } from './attempts/sign-in-error.ts'
import { signUpErrors } from './password-rules/sign-up-rules.ts'

export type SignUpFormProps = {
  readonly onSignedUp: () => void
  /** The first account exists already. */
  readonly onClosed: () => void
}

/** Creates the one root account of a fresh install. */
export function SignUpForm({ onSignedUp, onClosed }: SignUpFormProps) {
  const [failure, setFailure] = useState<string>()
  const [needsCode, setNeedsCode] = useState(false)

  const form = useForm({
    initial: { email: '', password: '', confirmation: '', setupCode: '' },
    validate: signUpErrors,
    submit: async ({ email, password, setupCode }) => {
      setFailure(undefined)
      try {
        await signUp({ email, password, ...(setupCode === '' ? {} : { setupCode }) })
        onSignedUp()
      } catch (thrown) {
        if (thrown instanceof RequestError && thrown.code === 'SIGN_UP_CLOSED') return onClosed()
        if (thrown instanceof RequestError && thrown.code === 'SETUP_CODE_REQUIRED') setNeedsCode(true)
        if (thrown instanceof RequestError && Object.keys(thrown.fields).length > 0) return thrown.fields
        setFailure(authErrorText(thrown))
      }
    },
  })

  return (
    <PublicForm
      title={t`Create the first account`}
      text={t`It owns this server: projects, wallets and every other account are made from here.`}
      onSubmit={form.onSubmit}
    >
      <TextField {...form.field('email')} label={t`E-mail`} type="email" autoComplete="username" autoFocus />
      <PasswordField
        {...form.field('password')}
        label={t`Password`}
        autoComplete="new-password"
        hint={t`At least 8 characters.`}
      />
      <PasswordChecklist value={form.values.password} />
      <PasswordField {...form.field('confirmation')} label={t`Confirm password`} autoComplete="new-password" />
      {needsCode && (
        <TextField
          {...form.field('setupCode')}
          label={t`Set-up code`}
          hint={t`Printed in the server log at its last start.`}
          mono
        />
      )}
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      <Button kind="primary" type="submit" size="large" wide loading={form.sending}>
        <Trans>Create account</Trans>
      </Button>
    </PublicForm>
  )
}
