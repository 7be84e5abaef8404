import type { NewApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'

import { useCreateApiKey } from '../../../api/api-keys.ts'
import { formFailure } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { lifetimeOptions, newKeyErrors, newKeyRequest, presetHint, presetOptions } from './new-key-form.ts'
import type { NewKeyValues } from './new-key-form.ts'
import { firstChoice, useProjectOptions } from '../choices/project-options.ts'

export type CreateApiKeyDialogProps = {
  /** The page's project, or `all`. */
  readonly projectId: string
  readonly onClose: () => void
  readonly onCreated: (key: NewApiKey) => void
}

/** Asks what a key is for and how long it lasts. */
export function CreateApiKeyDialog({ projectId, onClose, onCreated }: CreateApiKeyDialogProps) {
  const projects = useProjectOptions('api_key:write')
  const can = useCan()
  const create = useCreateApiKey()
  const name = useRef<HTMLInputElement>(null)
  const openedAt = useRef(new Date())
  const start = firstChoice(projects, projectId)
  const chosen = (values: NewKeyValues) => ({ ...values, projectId: values.projectId || start })
  const [failure, setFailure] = useState<string>()

  const form = useForm({
    initial: { projectId: '', name: '', preset: 'merchant', lifetime: '' },
    validate: (values) => newKeyErrors(chosen(values)),
    submit: async (entered) => {
      setFailure(undefined)
      const values = chosen(entered)
      try {
        // The end counts from the opening of the form, so that a repetition after a lost answer asks for the same.
        onCreated(await create(values.projectId, newKeyRequest(values, openedAt.current)))
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['name', 'preset'])
        setFailure(text)
        return fields
      }
    },
  })

  return (
    <FormDialog
      title={t`Create an API key`}
      save={t`Create API key`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
      initialFocus={name}
    >
      <Select
        {...form.field('projectId')}
        value={chosen(form.values).projectId}
        label={t`Project`}
        options={projects}
      />
      <TextField {...form.field('name')} ref={name} label={t`Name`} hint={t`What uses it, such as “Shop server”.`} />
      <Select
        {...form.field('preset')}
        label={t`Access`}
        options={presetOptions(can, chosen(form.values).projectId)}
        hint={presetHint(form.values.preset)}
      />
      <Select {...form.field('lifetime')} label={t`Expires`} options={lifetimeOptions()} />
    </FormDialog>
  )
}
