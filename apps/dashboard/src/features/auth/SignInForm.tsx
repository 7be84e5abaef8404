import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'

import { signIn } from '../../api/auth.ts'
import { paths } from '../../lib/paths.ts'
import { useForm } from '../../lib/forms/form.ts'
import { useIsOnline } from '../../lib/device/online.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { PasswordField } from '../../ui/fields/PasswordField.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { PublicForm } from './public-form/PublicForm.tsx'
import { authErrorText, throttledSeconds } from './attempts/sign-in-error.ts'
import { rememberTypedEmail, typedEmail } from './public-form/typed-email.ts'
import { useCountdown } from './attempts/useCountdown.ts'
import { signInErrors } from './password-rules/sign-in-rules.ts'

export type SignInFormProps = {
  /** Why the operator stands here again: "You're signed out." */
  readonly notice?: string | undefined
  /** Called with the token when a new password must be chosen first. */
  readonly onSignedIn: (resetPasswordToken: string | undefined) => void
}

/** Gets an operator in: e-mail, password, Enter. */
export function SignInForm({ notice, onSignedIn }: SignInFormProps) {
  const isOnline = useIsOnline()
  const [failure, setFailure] = useState<string>()
  const [waitSeconds, setWaitSeconds] = useCountdown()
  const alert = useRef<HTMLDivElement>(null)

  const [initial] = useState(() => ({ email: typedEmail(), password: '' }))

  const form = useForm({
    initial,
    validate: signInErrors,
    submit: async (values) => {
      setFailure(undefined)
      try {
        const { resetPasswordRequired, resetPasswordToken } = await signIn(values)
        rememberTypedEmail('')
        onSignedIn(resetPasswordRequired ? (resetPasswordToken ?? '') : undefined)
      } catch (thrown) {
        setFailure(authErrorText(thrown))
        setWaitSeconds(throttledSeconds(thrown))
      }
    },
  })

  const { email } = form.values
  useEffect(() => rememberTypedEmail(email), [email])
  useEffect(() => {
    if (failure !== undefined) alert.current?.focus()
  }, [failure])

  const isBlocked = !isOnline || waitSeconds > 0
  return (
    <PublicForm title={t`Sign in`} onSubmit={form.onSubmit}>
      {notice !== undefined && failure === undefined && <Banner tone="neutral">{notice}</Banner>}
      <TextField {...form.field('email')} label={t`E-mail`} type="email" autoComplete="username" autoFocus />
      <PasswordField
        {...form.field('password')}
        label={t`Password`}
        autoComplete="current-password"
        aside={
          <span className="text-dense">
            <TextLink href={paths.forgotPassword()}>
              <Trans>Forgot password?</Trans>
            </TextLink>
          </span>
        }
      />
      {failure !== undefined && (
        <div ref={alert} tabIndex={-1} className="outline-none">
          <Banner tone="danger">{failure}</Banner>
        </div>
      )}
      <Button
        kind="primary"
        type="submit"
        size="large"
        wide
        loading={form.sending}
        disabled={isBlocked}
        title={isOnline ? undefined : t`You’re offline.`}
      >
        {waitSeconds > 0 ? t`Try again in ${waitSeconds} s` : t`Sign in`}
      </Button>
      {!isOnline && (
        <p className="text-dense text-muted">
          <Trans>You’re offline. Signing in needs a connection.</Trans>
        </p>
      )}
    </PublicForm>
  )
}
