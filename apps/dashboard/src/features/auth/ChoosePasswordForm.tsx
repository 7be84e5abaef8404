import type { PasswordToken } from '@kassa/contract/auth/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { leaveFormerSession, passwordTokenQuery, resetPassword } from '../../api/auth.ts'
import { paths } from '../../lib/paths.ts'
import { useForm } from '../../lib/forms/form.ts'
import { listText } from '../../lib/text/list-text.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { PasswordChecklist } from '../../ui/fields/PasswordChecklist.tsx'
import { PasswordField } from '../../ui/fields/PasswordField.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { chosenPasswordErrors, passwordFailure } from './password-rules/choose-password-rules.ts'
import { PublicForm } from './public-form/PublicForm.tsx'

export type ChoosePasswordFormProps = {
  readonly title: string
  /** Empty when the address held none. */
  readonly token: string
  /** The account may have no password yet: then no link for a forgotten one would come. */
  readonly isFirst?: boolean
  readonly onChosen: (message: string) => void
}

/** Takes the password that a link asks for, after saying whose link it is and what for. */
export function ChoosePasswordForm({ title, token, isFirst = false, onChosen }: ChoosePasswordFormProps) {
  const link = useQuery({ ...passwordTokenQuery(token), enabled: token !== '' })
  if (token === '' || (link.error !== null && !asRequestError(link.error).isLost))
    return <DeadLink title={title} isFirst={isFirst} />
  if (link.data !== undefined) return <Choice title={title} token={token} link={link.data} onChosen={onChosen} />
  return (
    <PublicForm title={title}>
      {link.error === null ? (
        <Skeleton width="80%" />
      ) : (
        <ErrorState
          title={t`The link could not be checked.`}
          error={asRequestError(link.error)}
          onRetry={() => void link.refetch()}
        />
      )}
    </PublicForm>
  )
}

function Choice({ title, token, link, onChosen }: ChoosePasswordFormProps & { readonly link: PasswordToken }) {
  const [failure, setFailure] = useState<{ text: string; isOfLink: boolean }>()
  const form = useForm({
    initial: { password: '', confirmation: '' },
    validate: chosenPasswordErrors,
    submit: async ({ password }) => {
      setFailure(undefined)
      try {
        const message = await resetPassword({ password, resetPasswordToken: token })
        await leaveFormerSession()
        onChosen(message)
      } catch (thrown) {
        const { code, fields } = asRequestError(thrown)
        if (fields.password !== undefined) return { password: fields.password }
        setFailure({ text: passwordFailure(thrown), isOfLink: code === 'RESET_TOKEN_INVALID' })
      }
    },
  })
  return (
    <PublicForm title={title} text={purposeText(link)} onSubmit={form.onSubmit}>
      <PasswordField
        {...form.field('password')}
        label={t`New password`}
        autoComplete="new-password"
        hint={t`At least 8 characters.`}
        autoFocus
      />
      <PasswordChecklist value={form.values.password} />
      <PasswordField {...form.field('confirmation')} label={t`Confirm password`} autoComplete="new-password" />
      {failure !== undefined && (
        <Banner
          tone="danger"
          action={
            failure.isOfLink &&
            link.purpose === 'reset' && (
              <LinkButton href={paths.forgotPassword()}>
                <Trans>Send a new link</Trans>
              </LinkButton>
            )
          }
        >
          {failure.isOfLink && link.purpose !== 'reset' ? firstLinkText() : failure.text}
        </Banner>
      )}
      <Button kind="primary" type="submit" size="large" wide loading={form.sending}>
        <Trans>Save password</Trans>
      </Button>
    </PublicForm>
  )
}

/** What helps where the link was of an invitation, or of a sign-in with a password that must be replaced. */
function firstLinkText(): string {
  return t`This link has expired, was already used, or is not complete. Ask who invited you for another one; if you have a password, sign in with it.`
}

function DeadLink({ title, isFirst }: { title: string; isFirst: boolean }) {
  if (isFirst) {
    return (
      <PublicForm title={title} text={firstLinkText()}>
        <LinkButton href={paths.signIn()} kind="primary">
          <Trans>Sign in</Trans>
        </LinkButton>
      </PublicForm>
    )
  }
  return (
    <PublicForm title={title} text={t`This link has expired, was already used, or is not complete.`}>
      <LinkButton href={paths.forgotPassword()} kind="primary">
        <Trans>Send a new link</Trans>
      </LinkButton>
    </PublicForm>
  )
}

function purposeText({ purpose, email, inviter, role, projects }: PasswordToken): string {
  if (purpose === 'reset') return t`For the account ${email}.`
  if (purpose === 'temporary') return t`The account ${email} needs a new password before you go on.`
  const who = inviter ?? t`An administrator`
  const names = listText(projects)
  if (role === null) return names === '' ? t`${who} invited ${email}.` : t`${who} invited ${email} in ${names}.`
  return names === '' ? t`${who} invited ${email} as ${role}.` : t`${who} invited ${email} as ${role} in ${names}.`
}
