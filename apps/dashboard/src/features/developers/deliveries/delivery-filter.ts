/** What a list of deliveries is narrowed by, as the address holds it. */
import { DELIVERY_STATUSES } from '@kassa/contract/webhooks/delivery-statuses.ts'
import { t } from '@lingui/core/macro'

import type { DeliveryFilter } from '../../../api/webhooks.ts'
import { deliveryBadge, isDeliveryStatus } from '../../../labels/delivery-labels.ts'
import { operatorZone } from '../../../lib/time/time-zone.ts'
import { localIso } from '../../../lib/time/time.ts'
import type { ChoiceField, FilterField } from '../../../ui/filters/filter-fields.ts'
import { chosenDays, isSet, readChoice } from '../../../ui/filters/filter-fields.ts'
import { OFFERED_EVENTS } from '../choices/webhook-events.ts'

type Search = Readonly<Record<string, string | undefined>>

/** Rows of one page. */
const LIMIT = 50

const stateField = (): ChoiceField => ({
  kind: 'choice',
  key: 'status',
  label: t`State`,
  options: DELIVERY_STATUSES.map((value) => ({ value, label: deliveryBadge(value).word })),
})

const eventField = (): ChoiceField => ({
  kind: 'choice',
  key: 'event',
  label: t`Event`,
  options: OFFERED_EVENTS.map((value) => ({ value, label: value })),
})

/** What the list may be narrowed by. */
export function deliveryFields(): FilterField[] {
  return [stateField(), eventField(), { kind: 'date', key: 'created', label: t`Created` }]
}

/** Returns what the address asks the server for. */
export function deliveryFilter(search: Search, now: Date): DeliveryFilter {
  const status = readChoice(stateField(), search.status).filter(isDeliveryStatus)
  const event = readChoice(eventField(), search.event)
  const { from, to } = chosenDays(search.created, now)
  return {
    limit: LIMIT,
    ...(status.length > 0 && { status }),
    ...(event.length > 0 && { event }),
    ...(from && { dateFrom: localIso(from, 'start', now) }),
    ...(to && { dateTo: localIso(to, 'end', now) }),
    ...((from ?? to) && { timezone: operatorZone() }),
    ...(search.cursor !== undefined && { cursor: search.cursor }),
  }
}

/** Whether the address narrows the list. */
export function isNarrowed(search: Search): boolean {
  return deliveryFields().some((field) => isSet(field, search[field.key]))
}
