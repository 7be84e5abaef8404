import { bitcoinAccountPath, type BitcoinNetwork, keyKindsOf, type ScriptKind } from '@kassa/keys/bitcoin-accounts.ts'
import { isSecret } from '@kassa/keys/secret-text.ts'
import { msg, t } from '@lingui/core/macro'
import { useState } from 'react'
import type { SubmitEvent } from 'react'

import { loadCode } from '../../../lib/loading/server-reachable.ts'
import { RadioGroup } from '../../../ui/fields/RadioGroup.tsx'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { ACCOUNT_PATHS } from '../account/account-path.ts'
import type { Account } from '../account/derive-account.ts'
import { BITCOIN, FAMILY_NAMES, type KeyFamily } from '../account/families.ts'
import { pastedKeyProblem, SECRET_PASTED } from './pasted-key.ts'

/** What a key of Bitcoin that does not say it may be for. */
const SCRIPTS = [
  { value: 'p2wpkh', label: msg`Native SegWit`, start: { mainnet: 'bc1q…', testnet: 'tb1q…', sandbox: 'bcrt1q…' } },
  { value: 'p2sh-p2wpkh', label: msg`Nested SegWit`, start: { mainnet: '3…', testnet: '2…', sandbox: '2…' } },
] as const satisfies readonly { value: ScriptKind; label: unknown; start: Record<BitcoinNetwork, string> }[]

export type PasteKeyStepProps = {
  readonly formId: string
  readonly family: KeyFamily
  /** The network its addresses are of. */
  readonly network: BitcoinNetwork
  readonly onBusy: (isBusy: boolean) => void
  readonly onAccount: (account: Account) => void
}

/** Takes an extended public key. A secret is taken out of the field at once and goes nowhere. */
export function PasteKeyStep({ formId, family, network, onBusy, onAccount }: PasteKeyStepProps) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [wasSecret, setWasSecret] = useState(false)
  const [script, setScript] = useState<ScriptKind>('p2wpkh')
  const kinds = family === BITCOIN ? keyKindsOf(network) : undefined

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
    const problem = pastedKeyProblem(xpub, FAMILY_NAMES[family], kinds && Object.values(kinds))
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
      onAccount(family === BITCOIN ? code.readBitcoinAccount(xpub, network, script) : code.readAccount(xpub, family))
    } catch (thrown) {
      refuse(thrown instanceof Error ? thrown.message : t`The key couldn’t be read`)
    } finally {
      onBusy(false)
    }
  }

  const path = family === BITCOIN ? bitcoinAccountPath(script, network) : ACCOUNT_PATHS[family]
  return (
    <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <TextArea
        label={t`Extended public key`}
        name="xpub"
        rows={3}
        mono
        value={text}
        error={error}
        isRequired
        placeholder={`${kinds?.p2wpkh ?? 'xpub'}6…`}
        hint={t`The account at ${path} of your wallet, as it exports it. It shows addresses; it can’t spend.`}
        onChange={change}
      />
      {kinds && text.trim().startsWith(kinds.unstated) && (
        <RadioGroup
          legend={t`Which addresses does this account have?`}
          options={SCRIPTS.map(({ value, label, start }) => ({ value, label: t(label), hint: start[network] }))}
          value={script}
          onChange={(value) => setScript(value === 'p2wpkh' ? value : 'p2sh-p2wpkh')}
        />
      )}
    </form>
  )
}
