import type { SignedIn } from '@kassa/contract/auth/schemas.ts'
import { Trans } from '@lingui/react/macro'
import { Fingerprint } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'

import { signInWithPasskey } from '../../../api/factor-sign-in.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { factorFailure } from '../../../labels/people/code-refusals.ts'
import { endQuestion, offersPasskeys } from '../../../lib/device/passkeys.ts'
import { Button } from '../../../ui/actions/Button.tsx'

export type PasskeyButtonProps = {
  readonly isOff: boolean
  readonly onFailed: (text: string | undefined) => void
  readonly onSignedIn: (signedIn: SignedIn) => void
}

/** Signs in with a passkey: by a press, or by the list of the e-mail field, where the browser offers it. */
export function PasskeyButton({ isOff, onFailed, onSignedIn }: PasskeyButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const ask = async (inList: boolean) => {
    try {
      const signedIn = await signInWithPasskey({ inList })
      if (signedIn !== undefined) onSignedIn(signedIn)
    } catch (thrown) {
      const error = asRequestError(thrown)
      // The list was not asked for: where it is not possible, the form does without.
      if (!inList || error.code === 'SECOND_FACTOR_INVALID') onFailed(factorFailure(error))
    }
  }
  const offer = useEffectEvent(async () => {
    if (await offersPasskeys()) await ask(true)
  })
  useEffect(() => {
    void offer()
    return () => void endQuestion()
  }, [])

  const press = async () => {
    onFailed(undefined)
    setAsking(true)
    await ask(false)
    setAsking(false)
  }
  return (
    <Button size="large" wide loading={isAsking} disabled={isOff} onClick={() => void press()}>
      <Fingerprint aria-hidden size={18} strokeWidth={1.75} />
      <Trans>Use a passkey</Trans>
    </Button>
  )
}
