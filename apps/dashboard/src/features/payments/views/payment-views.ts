import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { PAYMENT_STATES } from '../../../labels/payment-labels.ts'
import type { Density } from '../../../lib/display/density.ts'
import { DATE_KEYS, FIELD_KEYS } from './filter-fields.ts'
import type { Search } from './payment-filter.ts'

/** The layout of the table; absent parts have their defaults. */
export type Layout = { readonly columns?: readonly string[]; readonly density?: Density }

/** A change of a layout; `undefined` restores the default. */
export type LayoutPatch = { readonly columns?: readonly string[] | undefined; readonly density?: Density | undefined }

/** A way to look at the list: what it is narrowed to and how it is sorted. */
export type View = {
  readonly id: string
  /** Own views are named by the operator. */
  readonly name: string | MessageDescriptor
  readonly search: Search
  readonly layout?: Layout
}

/** A view of the operator's own, or one that is shared in the project, with its columns. */
export type OwnView = View & {
  readonly name: string
  readonly layout: Layout
  /** Absent for one that is kept on this device. */
  readonly shared?: { readonly id: number; readonly by: string | undefined; readonly mayChange: boolean }
}

const ALL: View = { id: 'all', name: msg({ message: 'All', comment: 'the view of all payments' }), search: {} }

/** The views everybody has. */
export const BUILT_IN: readonly View[] = [
  ALL,
  { id: 'attention', name: msg`Needs attention`, search: { status: 'NEEDS_ATTENTION' } },
  { id: 'waiting', name: msg`Open or confirming`, search: { status: 'OPEN,CONFIRMING' } },
  { id: 'paid-today', name: msg`Paid today`, search: { status: 'FILLED,OVER_FILLED', updated: 'today' } },
  { id: 'overpaid', name: PAYMENT_STATES.OVER_FILLED, search: { status: 'OVER_FILLED' } },
  { id: 'expired', name: PAYMENT_STATES.EXPIRED, search: { status: 'EXPIRED' } },
  { id: 'late', name: msg`Late`, search: { status: 'LATE' } },
]

/** Returns what a view is called. */
export function viewName({ name }: View): string {
  return typeof name === 'string' ? name : t(name)
}

/** What of an address belongs to a view; the page and an open drawer do not. */
const HELD: readonly string[] = ['query', ...FIELD_KEYS, 'sortBy', 'sortDirection']

/** Returns what of an address a view holds. */
export function normalized(search: Search): Search {
  return Object.fromEntries(Object.entries(search).filter(([key, value]) => HELD.includes(key) && value !== ''))
}

/** Returns the view an address shows: the one it names, else the one that holds the same, else all payments. */
export function viewOf(search: Search, own: readonly OwnView[]): View {
  const views = [...BUILT_IN, ...own]
  const named = views.find(({ id }) => id === search.view)
  return named ?? views.find((view) => isSame(view.search, normalized(search))) ?? ALL
}

/** Whether an address holds exactly what a view does. */
export function isAsItIs(view: View, search: Search): boolean {
  return isSame(view.search, normalized(search))
}

/** Whether something was changed since the view was opened. */
export function isChanged(view: View, search: Search, layout: Layout): boolean {
  return !isAsItIs(view, search) || (view.layout !== undefined && !isSame(view.layout, layout))
}

/** Returns the address values of a view; those that belong to no view stay as they are. */
export function searchOf(view: View, { projectId, limit }: Search): Record<string, string | undefined> {
  return { projectId, limit, view: view === ALL ? undefined : view.id, ...view.search }
}

/** Whether an address names days, which a view keeps only when asked to. */
export function hasDates(search: Search): boolean {
  return DATE_KEYS.some((key) => Boolean(search[key]))
}

/** Returns the view an operator saves. */
export function ownView(view: Omit<OwnView, 'search'>, search: Search, withDates: boolean): OwnView {
  const stored = Object.entries(normalized(search)).filter(
    ([key]) => withDates || !DATE_KEYS.some((date) => date === key),
  )
  return { ...view, search: Object.fromEntries(stored) }
}

function isSame(one: object, other: object): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: object): string {
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
