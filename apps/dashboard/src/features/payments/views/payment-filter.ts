import type { PaymentFilter } from '../../../api/payments.ts'
import { operatorZone } from '../../../lib/time/time-zone.ts'
import { localIso } from '../../../lib/time/time.ts'
import { chosenDays, isSet, readAmounts, readChoice, readMoments } from '../../../ui/filters/filter-fields.ts'
import type { ChoiceField, FilterField } from '../../../ui/filters/filter-fields.ts'
import { PAGE_SIZE, pageSizeOf } from '../../../ui/list/paging.ts'
import { allFields } from './filter-fields.ts'

/** The values of an address. */
export type Search = Readonly<Record<string, string>>

/** Returns what an address narrows the list to, without its order and page: what an export holds too. */
export function narrowingOf(search: Search, now = new Date()) {
  const fields = allFields()
  const list = (field: ChoiceField) => {
    const values = readChoice(field, search[field.key])
    return values.length === 0 ? undefined : values
  }
  const fieldOfDays = isSet(fields.paid, search.paid) ? ('paid' as const) : ('created' as const)
  const [dated, updated] = [stamps(search[fieldOfDays], now), stamps(search.updated, now)]
  const amounts = readAmounts(search.amount)
  const isDated = Object.keys({ ...dated, ...updated }).length > 0
  const filter = {
    query: search.query,
    paymentStatus: list(fields.status),
    webhookStatus: list(fields.webhook),
    currency: list(fields.asset),
    network: list(fields.network),
    createdBy: list(fields.createdBy),
    externalPlatformIds: list(fields.project),
    dateFrom: dated.from,
    dateTo: dated.to,
    dateField: fieldOfDays === 'paid' ? fieldOfDays : undefined,
    updatedAfter: updated.from,
    updatedBefore: updated.to,
    timezone: isDated ? operatorZone() : undefined,
    amountMin: amounts?.from,
    amountMax: amounts?.to,
  }
  return present(filter)
}

/** The days an address asks for, as the server reads them: local times of the operator's zone. */
function stamps(text: string | undefined, now: Date): { from?: string; to?: string } {
  const moments = readMoments(text)
  if (moments !== undefined) return moments
  const { from, to } = chosenDays(text, now)
  return {
    ...(from && { from: localIso(from, 'start', now) }),
    ...(to && { to: localIso(to, 'end', now) }),
  }
}

/** The keys that have a value. */
function present<T extends object>(fields: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')) as {
    [Key in keyof T]?: NonNullable<T[Key]>
  }
}

/** Returns what a whole list is asked for by an address, in its order. */
function listOf(search: Search): PaymentFilter {
  return {
    ...narrowingOf(search),
    ...(search.sortBy && { sortBy: search.sortBy, sortDirection: search.sortDirection === 'ASC' ? 'ASC' : 'DESC' }),
  }
}

/** Returns what the server is asked for by an address: a page of the list. */
export function filterOf(search: Search): PaymentFilter {
  return {
    ...listOf(search),
    ...(pageSizeOf(search.limit) !== PAGE_SIZE && { limit: pageSizeOf(search.limit) }),
    ...(search.cursor && { cursor: search.cursor }),
  }
}

/** Returns the fields an address narrows the list by. */
export function narrowedBy(fields: readonly FilterField[], search: Search): readonly FilterField[] {
  return fields.filter((field) => isSet(field, search[field.key]))
}
