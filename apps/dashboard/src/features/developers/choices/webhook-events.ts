import { EVENT_TYPES, EVENTS } from '@kassa/contract/webhooks/events.ts'
import type { EventType } from '@kassa/contract/webhooks/events.ts'
import { t } from '@lingui/core/macro'

import { count } from '../../../lib/text/format.ts'
import { listText } from '../../../lib/text/list-text.ts'
import type { SelectOption } from '../../../ui/fields/Select.tsx'

/** The events an endpoint can receive. */
export const OFFERED_EVENTS: readonly EventType[] = EVENT_TYPES.filter((type) => EVENTS[type].delivered !== 'never')

/** Returns what lists of events can be narrowed to. */
export function eventFilters(): SelectOption[] {
  return [{ value: '', label: t`All events` }, ...OFFERED_EVENTS.map((event) => ({ value: event, label: event }))]
}

/** Those an endpoint gets that names none. */
export const DEFAULT_EVENTS: readonly EventType[] = EVENT_TYPES.filter((type) => EVENTS[type].delivered === 'default')

/** Returns what goes over the wire for a choice: nothing for the default, so that later events are added by themselves. */
export function eventsToSend(chosen: ReadonlySet<string>): string[] | undefined {
  const isDefault = chosen.size === DEFAULT_EVENTS.length && DEFAULT_EVENTS.every((type) => chosen.has(type))
  return isDefault ? undefined : OFFERED_EVENTS.filter((type) => chosen.has(type))
}

/** Returns which events an endpoint receives, in words; none named means the default ones. */
export function eventsText(events: readonly string[]): string {
  const offered = count(OFFERED_EVENTS.length)
  if (events.length === 0) {
    const standard = count(DEFAULT_EVENTS.length)
    return t`${standard} of ${offered} events (default)`
  }
  return events.length === OFFERED_EVENTS.length ? t`All ${offered} events` : listText(events)
}

/** Returns the ticks of an endpoint as it is. */
export function chosenEvents(events: readonly string[]): ReadonlySet<string> {
  return new Set(events.length === 0 ? DEFAULT_EVENTS : events)
}
