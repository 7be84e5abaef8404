import { ForgotPassword } from '@kassa/contract/auth/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { canMailQuery, forgotPassword } from '../../api/auth.ts'
import { paths } from '../../lib/paths.ts'
import { fieldErrors } from '../../lib/forms/field-errors.ts'
import { useForm } from '../../lib/forms/form.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { CodeBlock } from '../../ui/facts/CodeBlock.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { passwordFailure } from './password-rules/choose-password-rules.ts'
import { PublicForm } from './public-form/PublicForm.tsx'
import { emailForShell, typedEmail } from './public-form/typed-email.ts'

/** Asks for a link to choose a new password; what it says never tells whether an address is known. */
export function ForgotPasswordForm({ notice }: { notice?: string | undefined }) {
  const { data: canMail, isPending } = useQuery(canMailQuery)
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<string>()
  const [isSent, setIsSent] = useState(false)
  const [initial] = useState(() => ({ email: typedEmail() }))
  const form = useForm({
    initial,
    validate: (values) => fieldErrors(ForgotPassword, values),
    submit: async ({ email }) => {
      setFailure(undefined)
      setIsSent(false)
      try {
        await forgotPassword(email)
        setIsSent(true)
      } catch (thrown) {
        setFailure(passwordFailure(thrown))
        // Mail was there when the page was opened; without it the page says what to do instead.
        if (asRequestError(thrown).code === 'SMTP_NOT_CONFIGURED') {
          await queryClient.invalidateQueries({ queryKey: canMailQuery.queryKey })
        }
      }
    },
  })
  // The answer of the server is above the field, so it must be there before the field is used.
  if (isPending) return <Loading />
  if (canMail === false) return <WithoutMail notice={notice} />
  return (
    <PublicForm
      title={t`Forgot password`}
      text={t`Enter the e-mail you sign in with. We send a link to choose a new password.`}
      onSubmit={form.onSubmit}
      foot={<BackToSignIn />}
    >
      {notice !== undefined && !isSent && failure === undefined && <Banner tone="neutral">{notice}</Banner>}
      <TextField {...form.field('email')} label={t`E-mail`} type="email" autoComplete="username" autoFocus />
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      {isSent && (
        <Banner tone="success">
          <Trans>If that e-mail has an account, a link is on its way. It works for 30 minutes.</Trans>
        </Banner>
      )}
      <Button kind="primary" type="submit" size="large" wide loading={form.sending}>
        {isSent ? t`Send another link` : t`Send link`}
      </Button>
    </PublicForm>
  )
}

function Loading() {
  return (
    <PublicForm title={t`Forgot password`}>
      <div className="flex flex-col gap-4">
        <Skeleton width="70%" />
        <Skeleton height={60} />
        <Skeleton height={40} />
        <LoadingText />
      </div>
    </PublicForm>
  )
}

/** No form: no link would come. The owner of the server uses a command on its machine. */
function WithoutMail({ notice }: { notice: string | undefined }) {
  return (
    <PublicForm title={t`Forgot password`} foot={<BackToSignIn />}>
      <div className="flex flex-col gap-4">
        {notice !== undefined && <Banner tone="neutral">{notice}</Banner>}
        <Banner tone="warning">
          <Trans>
            This server cannot send e-mail yet. Ask an administrator for a link. If that is you, make one on the machine
            the server runs on:
          </Trans>
        </Banner>
        <CodeBlock label={t`command`} text={`npm run password-link -- ${emailForShell()}`} />
      </div>
    </PublicForm>
  )
}

function BackToSignIn() {
  return (
    <TextLink href={paths.signIn()}>
      <Trans>Back to sign in</Trans>
    </TextLink>
  )
}
