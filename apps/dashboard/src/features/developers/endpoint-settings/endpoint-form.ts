import { WebhookChange } from '@kassa/contract/webhooks/schemas.ts'
import type { Webhook } from '@kassa/contract/webhooks/schemas.ts'

import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import type { FieldErrors } from '../../../lib/forms/form.ts'
import { chosenEvents, eventsToSend } from '../choices/webhook-events.ts'

export type EndpointValues = {
  readonly url: string
  readonly name: string
  readonly description: string
  readonly legacyHeaders: boolean
  readonly chosen: ReadonlySet<string>
}

/** Returns what the form starts with. */
export function endpointValues({ url, name, description, legacyHeaders, events }: Webhook): EndpointValues {
  return { url, name, description, legacyHeaders, chosen: chosenEvents(events) }
}

/** Returns only what was changed; the default events go out as an empty list, so that later ones are added by themselves. */
export function endpointPatch(values: EndpointValues, webhook: Webhook): WebhookChange {
  const before = endpointValues(webhook)
  const isSame =
    values.chosen.size === before.chosen.size && [...values.chosen].every((type) => before.chosen.has(type))
  return {
    ...(values.url.trim() === before.url ? {} : { url: values.url.trim() }),
    ...(values.name.trim() === before.name ? {} : { name: values.name.trim() }),
    ...(values.description.trim() === before.description ? {} : { description: values.description.trim() }),
    ...(values.legacyHeaders === before.legacyHeaders ? {} : { legacyHeaders: values.legacyHeaders }),
    ...(isSame ? {} : { events: eventsToSend(values.chosen) ?? [] }),
  }
}

/** Returns every field that fails, with the contract's text. */
export function endpointErrors(values: EndpointValues, webhook: Webhook): FieldErrors<EndpointValues> {
  return fieldErrors(WebhookChange, endpointPatch(values, webhook))
}
