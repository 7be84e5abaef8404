/** What a list of deliveries is narrowed by, as the address holds it. */
import type { DeliveryFilter } from '../../../api/webhooks.ts'
import { isDeliveryStatus } from '../../../labels/delivery-labels.ts'
import { type Days, daysOf, isDateSpan } from '../../../lib/time/date-spans.ts'
import { operatorZone } from '../../../lib/time/time-zone.ts'
import { localIso } from '../../../lib/time/time.ts'

type Search = Readonly<Record<string, string | undefined>>

/** Rows of one page. */
const LIMIT = 50

/** Returns what the address asks the server for. */
export function deliveryFilter({ status = '', event = '', created = '', cursor }: Search, now: Date): DeliveryFilter {
  const { from, to }: Days = isDateSpan(created) ? daysOf(created, now) : {}
  return {
    limit: LIMIT,
    ...(isDeliveryStatus(status) && { status: [status] }),
    ...(event !== '' && { event: [event] }),
    ...(from && { dateFrom: localIso(from, 'start', now) }),
    ...(to && { dateTo: localIso(to, 'end', now) }),
    ...((from ?? to) && { timezone: operatorZone() }),
    ...(cursor !== undefined && { cursor }),
  }
}

/** Whether the address narrows the list. */
export function isNarrowed({ status = '', event = '', created = '' }: Search): boolean {
  return isDeliveryStatus(status) || event !== '' || isDateSpan(created)
}
