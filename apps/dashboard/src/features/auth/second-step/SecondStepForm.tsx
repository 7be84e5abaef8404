import type { SignedIn } from '@kassa/contract/auth/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { finishSignIn, type SecondProof, secondStepOf } from '../../../api/factor-sign-in.ts'
import { asRequestError, type RequestError } from '../../../api/request-error.ts'
import { factorFailure } from '../../../labels/code-refusals.ts'
import { askPasskeyOf, hasPasskeys } from '../../../lib/device/passkeys.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { throttledSeconds } from '../attempts/sign-in-error.ts'
import { useCountdown } from '../attempts/useCountdown.ts'
import { PublicForm } from '../public-form/PublicForm.tsx'

export type SecondStepFormProps = {
  /** The refusal that asked for it. */
  readonly asked: RequestError
  readonly onSignedIn: (signedIn: SignedIn) => void
  /** Back to e-mail and password. */
  readonly onClose: () => void
}

/** Takes the second factor after the password was right: a code, a passkey, or a backup code. */
export function SecondStepForm({ asked, onSignedIn, onClose }: SecondStepFormProps) {
  const [step] = useState(() => secondStepOf(asked))
  const { methods, challengeToken, publicKey } = step
  const [method, setMethod] = useState<'totp' | 'backup'>(methods.includes('totp') ? 'totp' : 'backup')
  const [failure, setFailure] = useState<string>()
  const [isOver, setOver] = useState(false)
  const [waitSeconds, setWaitSeconds] = useCountdown()

  const finish = async (proof: SecondProof): Promise<string | undefined> => {
    setFailure(undefined)
    try {
      onSignedIn(await finishSignIn(challengeToken, proof))
      return undefined
    } catch (thrown) {
      const error = asRequestError(thrown)
      setOver(error.code === 'CHALLENGE_EXPIRED')
      setWaitSeconds(throttledSeconds(thrown))
      return factorFailure(error)
    }
  }
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => (code.trim() === '' ? { code: t`Code is required` } : {}),
    submit: async ({ code }) => {
      const text = await finish({ method, code })
      return text === undefined ? undefined : { code: text }
    },
  })
  const usePasskey = async () => {
    try {
      const assertion = await askPasskeyOf(publicKey ?? {})
      if (assertion !== undefined) setFailure(await finish({ method: 'passkey', assertion }))
    } catch (thrown) {
      setFailure(asRequestError(thrown).message)
    }
  }
  const change = (next: 'totp' | 'backup') => {
    setMethod(next)
    form.set({ code: '' })
  }

  const hasCode = methods.some((one) => one !== 'passkey')
  return (
    <PublicForm
      title={t`Second factor`}
      text={t`The password was right. Show that it is you.`}
      onSubmit={form.onSubmit}
    >
      {publicKey !== undefined && hasPasskeys() && (
        <Button
          size="large"
          wide
          kind={methods.includes('totp') ? 'secondary' : 'primary'}
          onClick={() => void usePasskey()}
        >
          <Trans>Use a passkey</Trans>
        </Button>
      )}
      {hasCode && method === 'totp' && (
        <TextField
          {...form.field('code')}
          label={t`Code of the authenticator app`}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          mono
        />
      )}
      {hasCode && method === 'backup' && (
        <TextField {...form.field('code')} label={t`Backup code`} hint={t`Each works once.`} autoFocus mono />
      )}
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      {hasCode && (
        <Button
          kind="primary"
          type="submit"
          size="large"
          wide
          loading={form.sending}
          disabled={waitSeconds > 0 || isOver}
        >
          {waitSeconds > 0 ? t`Try again in ${waitSeconds} s` : t`Continue`}
        </Button>
      )}
      <div className="flex flex-wrap gap-3">
        {methods.includes('backup') && method === 'totp' && (
          <Button onClick={() => change('backup')}>
            <Trans>Use a backup code</Trans>
          </Button>
        )}
        {methods.includes('totp') && method === 'backup' && (
          <Button onClick={() => change('totp')}>
            <Trans>Use the authenticator app</Trans>
          </Button>
        )}
        <Button onClick={onClose}>
          <Trans>Start again</Trans>
        </Button>
      </div>
    </PublicForm>
  )
}
