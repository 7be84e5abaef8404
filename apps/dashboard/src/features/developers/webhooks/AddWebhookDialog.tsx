import { NewWebhook } from '@kassa/contract/webhooks/schemas.ts'
import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useAddWebhook } from '../../../api/webhooks.ts'
import { addressField } from '../../../lib/forms/address-field.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Select } from '../../../ui/fields/Select.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { EventChoice } from '../choices/EventChoice.tsx'
import { firstChoice, useProjectOptions } from '../choices/project-options.ts'
import { DEFAULT_EVENTS, eventsToSend } from '../choices/webhook-events.ts'

export type AddWebhookDialogProps = {
  /** The page's project, or `all`. */
  readonly projectId: string
  readonly onClose: () => void
  readonly onAdded: (webhook: Webhook) => void
}

/** Asks where to send events, and which. */
export function AddWebhookDialog({ projectId, onClose, onAdded }: AddWebhookDialogProps) {
  const projects = useProjectOptions('webhook:write')
  const start = firstChoice(projects, projectId)
  const add = useAddWebhook()
  const url = useRef<HTMLInputElement>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(DEFAULT_EVENTS))
  const [failure, setFailure] = useState<string>()

  const form = useForm({
    initial: { projectId: '', url: '', description: '' },
    validate: (values) => fieldErrors(NewWebhook, { url: values.url, description: values.description }),
    submit: async (values) => {
      if (chosen.size === 0) return setFailure(t`Choose at least one event.`)
      setFailure(undefined)
      const events = eventsToSend(chosen)
      const request = { url: values.url.trim(), ...(events === undefined ? {} : { events }) }
      const description = values.description.trim()
      try {
        onAdded(await add(values.projectId || start, description === '' ? request : { ...request, description }))
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['url', 'description'])
        setFailure(text)
        return fields
      }
    },
  })

  return (
    <FormDialog
      title={t`Add an endpoint`}
      save={t`Add endpoint`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
      initialFocus={url}
    >
      <Select
        {...form.field('projectId')}
        value={form.values.projectId || start}
        label={t`Project`}
        options={projects}
      />
      <TextField
        {...addressField(form.field('url'))}
        ref={url}
        label={t`URL`}
        placeholder="https://shop.example/kassa/webhook"
        hint={t`Each message is signed. Answer with a status from 200 to 299 within 15 seconds.`}
      />
      <TextField {...form.field('description')} label={t`Description (optional)`} />
      <EventChoice chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}
