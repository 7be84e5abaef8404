import { isSecret } from '@kassa/keys/secret-text.ts'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { SubmitEvent } from 'react'

import { loadCode } from '../../../lib/loading/server-reachable.ts'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { ACCOUNT_PATHS } from '../account/account-path.ts'
import type { Account } from '../account/derive-account.ts'
import { FAMILY_NAMES, type KeyFamily } from '../account/families.ts'
import { pastedKeyProblem, SECRET_PASTED } from './pasted-key.ts'

export type PasteKeyStepProps = {
  readonly formId: string
  readonly family: KeyFamily
  readonly onBusy: (isBusy: boolean) => void
  readonly onAccount: (account: Account) => void
}

/** Takes an extended public key. A secret is taken out of the field at once and goes nowhere. */
export function PasteKeyStep({ formId, family, onBusy, onAccount }: PasteKeyStepProps) {
  const path = ACCOUNT_PATHS[family]
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [wasSecret, setWasSecret] = useState(false)

  const change = (typed: string) => {
    const isRefused = isSecret(typed)
    setText(isRefused ? '' : typed)
    setWasSecret(isRefused)
    setError(isRefused ? t(SECRET_PASTED) : undefined)
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = event.currentTarget.querySelector('textarea')
    // A key copied from a narrow screen comes with line breaks.
    const xpub = text.replace(/\s+/g, '')
    const problem = pastedKeyProblem(xpub, FAMILY_NAMES[family])
    const refuse = (reason: string) => {
      setError(reason)
      field?.focus()
    }
    if (problem !== undefined) {
      // The field was emptied of a secret; that it is empty now is not what went wrong.
      if (!wasSecret) setError(problem)
      return field?.focus()
    }
    onBusy(true)
    try {
      const code = await loadCode(() => import('../account/derive-account.ts'))
      if (code === 'unanswered') return refuse(t`The key couldn’t be read. Check your connection and try again.`)
      if (code === 'missing') return refuse(t`The key couldn’t be read. Reload the page and try again.`)
      onAccount(code.readAccount(xpub, family))
    } catch (thrown) {
      refuse(thrown instanceof Error ? thrown.message : t`The key couldn’t be read`)
    } finally {
      onBusy(false)
    }
  }

  return (
    <form id={formId} noValidate onSubmit={(event) => void submit(event)}>
      <TextArea
        label={t`Extended public key`}
        name="xpub"
        rows={3}
        mono
        value={text}
        error={error}
        isRequired
        placeholder="xpub6…"
        hint={t`The account at ${path} of your wallet, as it exports it. It shows addresses; it can’t spend.`}
        onChange={change}
      />
    </form>
  )
}
