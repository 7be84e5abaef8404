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

/** Puts what was typed over an endpoint that was changed meanwhile. `isMixed`: both changed it, so that neither saw what results. */
export function mergeEndpoint(
  start: Webhook,
  saved: Webhook,
  values: EndpointValues,
): { readonly values: EndpointValues; readonly isMixed: boolean } {
  const typed = endpointPatch(values, start)
  const theirs = endpointValues(saved)
  const merged = {
    ...theirs,
    ...(typed.url !== undefined && { url: values.url }),
    ...(typed.name !== undefined && { name: values.name }),
    ...(typed.description !== undefined && { description: values.description }),
    ...(typed.legacyHeaders !== undefined && { legacyHeaders: values.legacyHeaders }),
    ...(typed.events !== undefined && { chosen: values.chosen }),
  }
  const isChanged = (one: EndpointValues, other: Webhook) => Object.keys(endpointPatch(one, other)).length > 0
  return { values: merged, isMixed: isChanged(theirs, start) && isChanged(merged, saved) }
}

/** Whether two answers are the same endpoint as the form shows it. */
export function isSameEndpoint(one: Webhook, other: Webhook): boolean {
  return Object.keys(endpointPatch(endpointValues(one), other)).length === 0
}
