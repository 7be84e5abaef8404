import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { SubmitEvent } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { provePresence } from '../../api/presence.ts'
import type { StepUpRequest } from '../../api/step-up.ts'
import { SPEC_TEXTS } from '../../lib/text/spec-texts.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { PasswordField } from '../../ui/fields/PasswordField.tsx'
import { useDescription } from './use-description.ts'
import { WhatHappens } from './WhatHappens.tsx'

/** The password, which proves that the operator is the one at the keys. */
export function PasswordProof({ ask, onClose }: { ask: StepUpRequest; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [sending, setSending] = useState(false)
  const description = useDescription(ask)
  const { isRead, action } = description

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    // The description must be shown before it can be confirmed.
    if (!isRead) return
    if (password === '') return setError(t(SPEC_TEXTS.passwordRequired))
    setSending(true)
    try {
      ask.settle(await provePresence({ method: 'password', password }, action?.challengeId))
    } catch (thrown) {
      setError(asRequestError(thrown).message)
    } finally {
      setSending(false)
    }
  }

  const foot = (
    <>
      <Button onClick={onClose}>
        <Trans>Cancel</Trans>
      </Button>
      <Button kind="primary" type="submit" form="step-up" loading={sending} disabled={!isRead}>
        <Trans>Confirm</Trans>
      </Button>
    </>
  )
  return (
    <Dialog title={t`Confirm that it is you`} size={400} locked={sending} onClose={onClose} foot={foot}>
      <form id="step-up" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <WhatHappens description={description}>
          <Trans>This changes secrets or settings. Enter your password to go on.</Trans>
        </WhatHappens>
        <PasswordField
          label={t`Password`}
          name="password"
          autoComplete="current-password"
          value={password}
          error={error}
          isRequired
          autoFocus
          onChange={(value) => {
            setPassword(value)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
