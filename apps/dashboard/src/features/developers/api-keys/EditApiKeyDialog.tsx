import type { ApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { SCOPES } from '@kassa/contract/permissions.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'

import { useChangeApiKey } from '../../../api/api-keys.ts'
import { formFailure } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { keyName } from './api-key-states.ts'
import { endOptions, keyChange, keyErrors, keyValues } from './key-form.ts'

/** Changes what a key may do, from where and until when; its value stays. */
export function EditApiKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const change = useChangeApiKey()
  const name = useRef<HTMLInputElement>(null)
  const openedAt = useRef(new Date())
  const [failure, setFailure] = useState<string>()
  const title = keyName(apiKey)

  const form = useForm({
    initial: keyValues(apiKey),
    validate: keyErrors,
    submit: async (values) => {
      setFailure(undefined)
      try {
        // The end counts from the opening of the form, so that a repetition after a lost answer asks for the same.
        await change(apiKey, keyChange(apiKey, values, openedAt.current))
        toast.success(t`API key saved`)
        onClose()
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['name', 'allowedIPs'])
        setFailure(text)
        return fields
      }
    },
  })

  return (
    <FormDialog
      title={t`Edit “${title}”`}
      save={t`Save changes`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
      initialFocus={name}
    >
      <TextField {...form.field('name')} ref={name} label={t`Name`} />
      <ScopeChoice
        projectId={apiKey.externalPlatformID}
        had={apiKey.scopes}
        chosen={form.values.scopes}
        onChange={(scopes) => form.set({ scopes })}
      />
      <TextArea
        {...form.field('allowedIPs')}
        label={t`Allowed addresses`}
        hint={t`One address or network a line, such as 203.0.113.0/24. Empty: from everywhere.`}
        mono
      />
      <Select {...form.field('lifetime')} label={t`Expires`} options={endOptions(apiKey)} />
    </FormDialog>
  )
}

type ScopeChoiceProps = {
  readonly projectId: number
  readonly had: readonly string[]
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

/** Each scope; one that the operator lacks can be taken away, never given. */
function ScopeChoice({ projectId, had, chosen, onChange }: ScopeChoiceProps) {
  const can = useCan()
  const tick = (scope: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(scope)
    else next.delete(scope)
    onChange(next)
  }
  return (
    <fieldset>
      <legend className="mb-1 text-body font-medium">
        <Trans>Scopes</Trans>
      </legend>
      <div className="grid gap-x-4 sm:grid-cols-2">
        {SCOPES.map((scope) => {
          const isOff = !can(scope, projectId) && !had.includes(scope)
          return (
            <Checkbox
              key={scope}
              label={scope}
              isOff={isOff}
              {...(isOff && { hint: t`You lack it yourself.` })}
              checked={chosen.has(scope)}
              onChange={(isChosen) => tick(scope, isChosen)}
            />
          )
        })}
      </div>
      {chosen.has('payout:create') && (
        <p className="mt-1 text-dense text-muted">
          <Trans>A key only asks for payouts; people approve them.</Trans>
        </p>
      )}
    </fieldset>
  )
}
