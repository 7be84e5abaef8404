import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { SubmitEvent } from 'react'

import { loadCode } from '../../../lib/loading/server-reachable.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import type { Account } from '../account/derive-account.ts'
import type { OnePathFamily } from '../account/families.ts'
import type { NewWallet } from './new-seed-phrase.ts'

const COUNTS = [
  { value: '12', label: msg`12 words` },
  { value: '24', label: msg`24 words` },
] as const

export type SeedPhraseStepProps = {
  readonly formId: string
  readonly family: OnePathFamily
  readonly onBusy: (isBusy: boolean) => void
  /** The words are on screen: what closes the dialog by accident must not. */
  readonly onShown: () => void
  readonly onAccount: (account: Account) => void
}

/** Makes recovery words here and shows them once; only the account's public key goes on. */
export function SeedPhraseStep({ formId, family, onBusy, onShown, onAccount }: SeedPhraseStepProps) {
  const [count, setCount] = useState('12')
  const [made, setMade] = useState<NewWallet>()
  const [isWritten, setWritten] = useState(false)
  const [error, setError] = useState<string>()

  const make = async () => {
    onBusy(true)
    try {
      const code = await loadCode(() => import('./new-seed-phrase.ts'))
      if (code === 'unanswered') return setError(t`The words couldn’t be made. Check your connection and try again.`)
      if (code === 'missing') return setError(t`The words couldn’t be made. Reload the page and try again.`)
      setMade(await code.makeWallet(count === '24' ? 24 : 12, family))
      onShown()
    } catch {
      setError(t`The words couldn’t be made. Reload the page and try again.`)
    } finally {
      onBusy(false)
    }
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setError(undefined)
    if (made === undefined) return void make()
    if (!isWritten) return setError(t`Write the words down first, then tick the box.`)
    onAccount(made.account)
  }

  return (
    <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
      {error !== undefined && <Banner tone="danger">{error}</Banner>}
      {made === undefined && (
        <Select
          label={t({ message: 'Length', comment: 'how many recovery words' })}
          options={COUNTS.map(({ value, label }) => ({ value, label: t(label) }))}
          value={count}
          hint={t`The words are made by this browser, shown once, and never sent to the server.`}
          onChange={setCount}
        />
      )}
      {made !== undefined && (
        <>
          <p className="text-body">
            <Trans>Write these words down in this order. Whoever has them can move the money.</Trans>
          </p>
          <Words words={made.words} />
          <Checkbox label={t`I have written them down`} checked={isWritten} onChange={setWritten} />
        </>
      )}
    </form>
  )
}

function Words({ words }: { words: readonly string[] }) {
  return (
    <ol aria-label={t`Recovery words`} className="grid grid-cols-2 gap-2 sm:grid-cols-4">
      {words.map((word, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a word may come twice; their places never move
        <li key={at} className="flex gap-2 rounded-control border border-border bg-surface px-2.5 py-1.5">
          <span className="w-5 text-end text-muted tabular-nums">{at + 1}</span>
          <span translate="no" className="font-mono text-body">
            {word}
          </span>
        </li>
      ))}
    </ol>
  )
}
