import { NewReferralEvent } from '@kassa/contract/referral/inputs.ts'
import type { ReferralEvent } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { useRef } from 'react'

import { useGrowthChanges } from '../../../api/growth.ts'
import { useRequestForm } from '../../../api/request-form.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { Select } from '../../../ui/fields/Select.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { eventTypes } from '../words/event-types.ts'

export type NewEventDialogProps = {
  readonly projectId: string
  readonly onCreated?: (event: ReferralEvent) => void
  readonly onClose: () => void
}

/** Names something that the shop will report. */
export function NewEventDialog({ projectId, onCreated, onClose }: NewEventDialogProps) {
  const { createEvent } = useGrowthChanges(projectId)
  const first = useRef<HTMLInputElement>(null)
  const { form, failure } = useRequestForm(
    { key: '', name: '', eventType: 'simple', description: '' },
    (values) => fieldErrors(NewReferralEvent, values),
    async (values) => {
      const created = await createEvent({ ...values, eventType: values.eventType === 'payment' ? 'payment' : 'simple' })
      toast.success(t`Event added`)
      onCreated?.(created)
      onClose()
    },
  )
  return (
    <FormDialog
      title={t`New event`}
      save={t`Add event`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
      initialFocus={first}
    >
      <TextField {...form.field('name')} ref={first} label={t`Name`} autoComplete="off" />
      <TextField
        {...form.field('key')}
        label={t`Key`}
        mono
        autoComplete="off"
        hint={t`What your shop sends, such as first_purchase. Key and type can’t change later.`}
      />
      <Select {...form.field('eventType')} label={t`Type`} options={eventTypes()} isRequired />
      <TextField {...form.field('description')} label={t`Description`} hint={t`Optional.`} />
    </FormDialog>
  )
}

/** Changes what an event is called; key and type stay. */
export function EditEventDialog({ projectId, event, onClose }: NewEventDialogProps & { event: ReferralEvent }) {
  const { changeEvent } = useGrowthChanges(projectId)
  const { form, failure } = useRequestForm(
    { name: event.name, description: event.description ?? '' },
    ({ name }) => (name.trim() === '' ? { name: t`Name is required` } : {}),
    async (values) => {
      await changeEvent(event.id, values)
      toast.success(t`Event saved`)
      onClose()
    },
  )
  const { key } = event
  return (
    <FormDialog
      title={t`Edit ${key}`}
      save={t`Save changes`}
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
    >
      <TextField {...form.field('name')} label={t`Name`} />
      <TextField {...form.field('description')} label={t`Description`} hint={t`Optional.`} />
    </FormDialog>
  )
}
