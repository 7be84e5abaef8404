import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { provePasskey } from '../../api/passkey-proof.ts'
import { provePresence } from '../../api/presence.ts'
import { asRequestError } from '../../api/request-error.ts'
import type { StepUpRequest } from '../../api/step-up.ts'
import { factorFailure } from '../../labels/people/code-refusals.ts'
import { hasPasskeys } from '../../lib/device/passkeys.ts'
import { useForm } from '../../lib/forms/form.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { useDescription } from './use-description.ts'
import { WhatHappens } from './WhatHappens.tsx'

type CodeMethod = 'totp' | 'backup'

/** A second factor, which proves that the operator is the one at the keys: a code, a passkey or a backup code. */
export function FactorProof({ ask, onClose }: { ask: StepUpRequest; onClose: () => void }) {
  const { methods, action } = ask
  const [method, setMethod] = useState<CodeMethod>(methods.includes('totp') ? 'totp' : 'backup')
  const [failure, setFailure] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const description = useDescription(ask)
  const { isRead, action: described } = description
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => (code.trim() === '' ? { code: t`Code is required` } : {}),
    submit: async ({ code }) => {
      setFailure(undefined)
      try {
        ask.settle(await provePresence({ method, code }, described?.challengeId))
      } catch (thrown) {
        return { code: factorFailure(asRequestError(thrown)) }
      }
    },
  })
  const askPasskey = async () => {
    setFailure(undefined)
    setAsking(true)
    try {
      const proof = await provePasskey(action, described)
      if (proof !== null) ask.settle(proof)
    } catch (thrown) {
      setFailure(factorFailure(asRequestError(thrown)))
    } finally {
      setAsking(false)
    }
  }
  const change = (next: CodeMethod) => {
    setMethod(next)
    form.set({ code: '' })
  }
  const hasCode = methods.includes('totp') || methods.includes('backup')
  return (
    <FormDialog
      title={t`Confirm that it is you`}
      save={t`Confirm`}
      size={400}
      isSafe
      sending={form.sending || isAsking}
      // The description must be shown before it can be confirmed.
      offReason={isRead ? undefined : (description.failure ?? t`Asking the server what will happen`)}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <WhatHappens description={description}>
        <Trans>This changes secrets or settings. Show your second factor to go on.</Trans>
      </WhatHappens>
      {methods.includes('passkey') && hasPasskeys() && (
        <Button wide loading={isAsking} disabled={!isRead} onClick={() => void askPasskey()}>
          <Trans>Use a passkey</Trans>
        </Button>
      )}
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      {hasCode && (
        <TextField
          {...form.field('code')}
          label={method === 'totp' ? t`Code of the authenticator app` : t`Backup code`}
          {...(method === 'totp' && { inputMode: 'numeric', autoComplete: 'one-time-code' })}
          mono
        />
      )}
      {methods.includes('totp') && methods.includes('backup') && (
        <div>
          <Button onClick={() => change(method === 'totp' ? 'backup' : 'totp')}>
            {method === 'totp' ? t`Use a backup code` : t`Use the authenticator app`}
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
