import type { FilterId } from '@kassa/contract/analytics/groups.ts'
import type { GraphFilters, GroupChoice } from '@kassa/contract/analytics/inputs.ts'
import type { UserGroup } from '@kassa/contract/analytics/schemas.ts'

import { isDateSpan, readDay } from '../../../lib/time/date-spans.ts'
import { operatorZone } from '../../../lib/time/time-zone.ts'
import { localIso } from '../../../lib/time/time.ts'
import { readDays } from '../../../ui/filters/filter-fields.ts'
import type { Grouping } from '../../../labels/graphs/grouping.ts'

/** The parts of the address that the dashboard reads; absent ones have their defaults. */
export const DATE = 'date'
export const ASSET = 'asset'
export const COMPARE = 'compare'

export const DEFAULT_SPAN = 'last_30_days'
export const FOREVER = 'forever'

type StoredFilters = NonNullable<GroupChoice['customFilters']>

type Search = Readonly<Record<string, string | undefined>>

/** The server counts at most so many days at once. */
const MOST_DAYS = 5 * 365

const DAY_MS = 86_400_000

/** What an address asks the dashboard for. */
export type DashboardFilter = {
  /** A span that moves with the calendar, `forever`, or two days `2026-11-01..2026-11-20`. */
  readonly span: string
  readonly asset: string | undefined
  readonly isComparing: boolean
}

/** Reads an address; what cannot be asked for is left out. */
export function filterOf(search: Search): DashboardFilter {
  const date = search[DATE] ?? ''
  const isSpan = isDateSpan(date) || date === FOREVER || customDays(date) !== undefined
  const asset = search[ASSET] ?? ''
  return {
    span: isSpan ? date : DEFAULT_SPAN,
    asset: /^[A-Z0-9]{2,12}$/.test(asset) ? asset : undefined,
    isComparing: search[COMPARE] === 'previous' && date !== FOREVER,
  }
}

/** Two days of an address, the first before the last and not too far from it. */
export function customDays(text: string): { readonly from: Date; readonly to: Date } | undefined {
  const range = readDays(text)
  const [from, to] = [readDay(range?.from ?? ''), readDay(range?.to ?? '')]
  if (from === undefined || to === undefined || to < from) return undefined
  return (to.getTime() - from.getTime()) / DAY_MS > MOST_DAYS ? undefined : { from, to }
}

/** The key under which an address says how a group is divided. */
export function groupingKey(groupId: number): string {
  return `by${groupId}`
}

/** How a group is divided: as the address says, else as this operator chose it last. */
export function groupingOf(search: Search, { groupID, analyticsGroup: { filters } }: UserGroup): Grouping {
  const named = GROUPING_WORDS.find(([word]) => word === search[groupingKey(groupID)])
  if (named) return named[1]
  const chosen = filters.find(({ id }) => id === 2 || id === 4)?.value ?? ''
  return chosen.includes('blockchain_code') ? 'blockchain_code' : 'currency_code'
}

const GROUPING_WORDS = [
  ['asset', 'currency_code'],
  ['network', 'blockchain_code'],
] as const satisfies readonly (readonly [string, Grouping])[]

/** What an address says of a grouping. */
export function groupingWord(grouping: Grouping): string | undefined {
  return GROUPING_WORDS.find(([, one]) => one === grouping)?.[0]
}

/** The filters of a group as the server stores them for this operator, with another grouping. */
export function withGrouping({ analyticsGroup, customFilters }: UserGroup, grouping: Grouping): StoredFilters {
  const filter = analyticsGroup.filters.find(({ id }) => id === 2 || id === 4)
  if (filter === undefined) return []
  const others = customFilters.filter(({ filterID }) => filterID !== filter.id)
  return [
    ...others.map(({ filterID, value }) => ({ filterID, value })),
    { filterID: filter.id, value: JSON.stringify({ code: grouping }) },
  ]
}

/** Returns what a graph is asked with: of the page's filters those it lists, and how its group is divided. */
export function graphFilters(
  { span, asset, isComparing }: DashboardFilter,
  listed: ReadonlySet<FilterId>,
  grouping: Grouping,
  now = new Date(),
): GraphFilters {
  // The last 30 days of a number are those of the list of payments that it leads to.
  if (!listed.has(1)) return { timezone: operatorZone() }
  return {
    ...spanFilter(span, now),
    timezone: operatorZone(),
    ...(asset !== undefined && { currency_codes: [asset] }),
    ...(listed.has(2) && { group_by_network_currency_filter: grouping }),
    ...(listed.has(4) && { group_by_only_network_currency_filter: grouping }),
    ...(isComparing && { compare: 'previous' as const }),
  }
}

function spanFilter(span: string, now: Date): GraphFilters {
  const days = isDateSpan(span) ? undefined : customDays(span)
  if (days === undefined) return { analytics_date_filter: span as NonNullable<GraphFilters['analytics_date_filter']> }
  return {
    analytics_date_filter: 'custom',
    custom_start_date: localIso(days.from, 'start', now),
    custom_end_date: localIso(days.to, 'end', now),
  }
}
