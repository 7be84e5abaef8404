import type { SignedIn } from '@kassa/contract/auth/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Suspense, useEffect, useRef, useState } from 'react'

import { signIn } from '../../api/auth.ts'
import { RequestError } from '../../api/request-error.ts'
import { paths } from '../../lib/paths.ts'
import { useForm } from '../../lib/forms/form.ts'
import { hasPasskeys } from '../../lib/device/passkeys.ts'
import { useIsOnline } from '../../lib/device/online.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { PasswordField } from '../../ui/fields/PasswordField.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { lazyLayer, lazyPart } from '../../ui/overlays/lazy-load.ts'
import { PublicForm } from './public-form/PublicForm.tsx'
import { authErrorText, throttledSeconds } from './attempts/sign-in-error.ts'
import { rememberTypedEmail, typedEmail } from './public-form/typed-email.ts'
import { useCountdown } from './attempts/useCountdown.ts'
import { signInErrors } from './password-rules/sign-in-rules.ts'

/** What most sign-ins end without. */
const SecondStepForm = lazyLayer(async () => ({
  default: (await import('./second-step/SecondStepForm.tsx')).SecondStepForm,
}))
const PasskeyButton = lazyPart(async () => ({
  default: (await import('./second-step/PasskeyButton.tsx')).PasskeyButton,
}))

export type SignInFormProps = {
  /** Why the operator stands here again: "You're signed out." */
  readonly notice?: string | undefined
  readonly onSignedIn: (signedIn: SignedIn) => void
}

/** Gets an operator in: e-mail, password, Enter. */
export function SignInForm({ notice, onSignedIn }: SignInFormProps) {
  const isOnline = useIsOnline()
  const [failure, setFailure] = useState<string>()
  const [asked, setAsked] = useState<RequestError>()
  const [waitSeconds, setWaitSeconds] = useCountdown()
  const alert = useRef<HTMLDivElement>(null)

  const [initial] = useState(() => ({ email: typedEmail(), password: '' }))

  const done = (signedIn: SignedIn) => {
    rememberTypedEmail('')
    onSignedIn(signedIn)
  }

  const form = useForm({
    initial,
    validate: signInErrors,
    submit: async (values) => {
      setFailure(undefined)
      try {
        done(await signIn(values))
      } catch (thrown) {
        if (thrown instanceof RequestError && thrown.code === 'SECOND_FACTOR_REQUIRED') return setAsked(thrown)
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

  if (asked !== undefined) {
    return (
      <Suspense>
        <SecondStepForm asked={asked} onSignedIn={done} onClose={() => setAsked(undefined)} />
      </Suspense>
    )
  }

  const isBlocked = !isOnline || waitSeconds > 0
  return (
    <PublicForm title={t`Sign in`} onSubmit={form.onSubmit}>
      {notice !== undefined && failure === undefined && <Banner tone="neutral">{notice}</Banner>}
      <TextField {...form.field('email')} label={t`E-mail`} type="email" autoComplete="username webauthn" autoFocus />
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
      {hasPasskeys() && (
        <Suspense>
          <PasskeyButton isOff={!isOnline} onFailed={setFailure} onSignedIn={done} />
        </Suspense>
      )}
      {!isOnline && (
        <p className="text-dense text-muted">
          <Trans>You’re offline. Signing in needs a connection.</Trans>
        </p>
      )}
    </PublicForm>
  )
}
