import type { ApiKey, ChangedApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { useActOnApiKey } from '../../../api/api-keys.ts'
import { failureOf } from '../../../api/form-failure.ts'
import { exactTime } from '../../../lib/time/time.ts'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import type { SelectOption } from '../../../ui/fields/Select.tsx'
import { keyName, lastUseText } from './api-key-states.ts'

export type RotateApiKeyDialogProps = {
  readonly apiKey: ApiKey
  readonly onClose: () => void
  readonly onRotated: (key: ChangedApiKey) => void
}

/** Asks before a key gets a new value, and how long the old one goes on working. */
export function RotateApiKeyDialog({ apiKey, onClose, onRotated }: RotateApiKeyDialogProps) {
  const act = useActOnApiKey()
  const [overlap, setOverlap] = useState('24')
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const name = keyName(apiKey)
  const { previousKeyUntil: until } = apiKey

  const submit = async () => {
    if (sending) return
    setSending(true)
    setFailure(await failureOf(async () => onRotated(await act(apiKey, 'rotate', Number(overlap)))))
    setSending(false)
  }

  return (
    <FormDialog
      title={t`Rotate “${name}”?`}
      size={400}
      save={t`Make a new key`}
      isSafe
      sending={sending}
      failure={failure}
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <ul className="flex list-disc flex-col gap-1 ps-5 text-body">
        <li>
          <Trans>The new key is shown once, right after. It may do what the old one may.</Trans>
        </li>
        <li>
          <Trans>
            Messages to your endpoints carry the header X-Payram-Signature made with the new key from then on; their
            other signatures stay.
          </Trans>
        </li>
        {until !== null && <li>{beforeText(until)}</li>}
        <li>{lastUseText(apiKey)}</li>
      </ul>
      <Select
        label={t`The old key goes on working for`}
        value={overlap}
        options={overlapOptions()}
        onChange={setOverlap}
      />
    </FormDialog>
  )
}

function beforeText(until: Date): string {
  const time = exactTime(until)
  return t`The key before this one works until ${time}; it stops at once.`
}

/** Returns how long the old key can go on working; the values are hours. */
function overlapOptions(): SelectOption[] {
  return [
    { value: '24', label: t`24 hours` },
    { value: '72', label: t`3 days` },
    { value: '168', label: t`7 days` },
    { value: '0', label: t`Stop the old one at once` },
  ]
}
