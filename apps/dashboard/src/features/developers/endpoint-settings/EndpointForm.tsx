import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../../api/form-failure.ts'
import { useChangeWebhook } from '../../../api/webhooks.ts'
import { addressField } from '../../../lib/forms/address-field.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { LeaveGuard } from '../../../ui/forms/LeaveGuard.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { endpointErrors, endpointPatch, endpointValues, isSameEndpoint, mergeEndpoint } from './endpoint-form.ts'
import type { EndpointValues } from './endpoint-form.ts'
import { EventChoice } from '../choices/EventChoice.tsx'

/** Where an endpoint is and what it receives. */
export function EndpointForm({ webhook }: { webhook: Webhook }) {
  const change = useChangeWebhook()
  const [failure, setFailure] = useState<string>()
  const [start, setStart] = useState(webhook)
  const [isOvertaken, setOvertaken] = useState(false)
  const form = useForm<EndpointValues>({
    initial: endpointValues(start),
    validate: (values) => endpointErrors(values, start),
    submit: async (values) => {
      setOvertaken(false)
      if (values.chosen.size === 0) return setFailure(t`Choose at least one event.`)
      const patch = endpointPatch(values, start)
      if (Object.keys(patch).length === 0) return setFailure(t`Nothing was changed.`)
      setFailure(undefined)
      try {
        await change(webhook, patch)
        toast.success(t`Endpoint saved`)
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, ['url', 'name', 'description'])
        setFailure(text)
        return fields
      }
    },
  })
  // A change of somebody else comes in beside what is being typed here.
  if (!isSameEndpoint(start, webhook)) {
    const met = mergeEndpoint(start, webhook, form.values)
    setStart(webhook)
    form.set(met.values)
    if (met.isMixed && !form.sending) setOvertaken(true)
  }
  const isChanged = Object.keys(endpointPatch(form.values, start)).length > 0
  const isDirty = !form.sending && isChanged
  return (
    <Card title={t`URL and events`}>
      <LeaveGuard isDirty={isDirty} liesOver />
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        {isOvertaken && isChanged && (
          <Banner tone="warning">
            <Trans>
              Somebody else changed this endpoint meanwhile. What you typed is kept: read it before you save.
            </Trans>
          </Banner>
        )}
        <TextField
          {...addressField(form.field('url'))}
          label={t`URL`}
          hint={t`A new URL counts as untested until something arrives there.`}
        />
        <TextField {...form.field('name')} label={t`Name (optional)`} />
        <TextField {...form.field('description')} label={t`Description (optional)`} />
        <EventChoice chosen={form.values.chosen} onChange={(chosen) => form.set({ chosen })} />
        <Checkbox
          label={t`Send the access key as header API-Key`}
          hint={t`For older receivers; newer ones check the signature.`}
          checked={form.values.legacyHeaders}
          onChange={(legacyHeaders) => form.set({ legacyHeaders })}
        />
        <div className="flex justify-end">
          <Button kind="primary" type="submit" loading={form.sending}>
            <Trans>Save endpoint</Trans>
          </Button>
        </div>
      </form>
    </Card>
  )
}
