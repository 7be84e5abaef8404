import { msg } from '@lingui/core/macro'
import { DELIVERY_STATUSES } from '@kassa/contract/webhooks/schemas.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { CURRENCIES } from '@kassa/primitives/chains/currencies.ts'

import type { PaymentFilter } from '../../api/payments.ts'
import { daysOf, isDateSpan, readDay } from '../../lib/date-spans.ts'
import type { Days } from '../../lib/date-spans.ts'
import { operatorZone } from '../../lib/time-zone.ts'
import { localIso } from '../../lib/time.ts'
import { isSet, readAmounts, readChoice, readDays } from '../../ui/filters/filter-fields.ts'
import type { ChoiceField, FilterField } from '../../ui/filters/filter-fields.ts'
import { PAGE_SIZE, pageSizeOf } from '../../ui/page-size.ts'
import { deliveryBadge } from './payment-states.ts'

/** The states a list can be narrowed to, with the words the server knows them by. */
const STATUS: ChoiceField = {
  key: 'status',
  label: msg`Status`,
  kind: 'choice',
  options: [
    { value: 'OPEN', label: msg`Open` },
    { value: 'CONFIRMING', label: msg`Confirming` },
    { value: 'PARTIALLY_FILLED', label: msg`Partly paid` },
    { value: 'FILLED', label: msg`Paid` },
    { value: 'OVER_FILLED', label: msg`Overpaid` },
    { value: 'EXPIRED', label: msg`Expired` },
    { value: 'CANCELLED', label: msg`Cancelled` },
    { value: 'LATE', label: msg`Late` },
    { value: 'REOPENED', label: msg`Reopened` },
  ],
}

const WEBHOOK: ChoiceField = {
  key: 'webhook',
  label: msg`Webhook`,
  kind: 'choice',
  options: DELIVERY_STATUSES.map((value) => ({ value, label: deliveryBadge(value).word })),
}

const ASSET: ChoiceField = {
  key: 'asset',
  label: msg`Asset`,
  kind: 'choice',
  options: CURRENCIES.map(({ code, name }) => ({ value: code, label: `${code}, ${name}` })),
}

const NETWORK: ChoiceField = {
  key: 'network',
  label: msg`Network`,
  kind: 'choice',
  options: BLOCKCHAINS.map(({ code, name }) => ({ value: code, label: name })),
}

const CREATED_BY: ChoiceField = {
  key: 'createdBy',
  label: msg`Created by`,
  kind: 'choice',
  options: [
    { value: 'user', label: msg`An operator` },
    { value: 'system', label: msg`An API key` },
  ],
}

/** Its projects are those the operator may see; an address may name one before they are known. */
const PROJECT: ChoiceField = { key: 'project', label: msg`Project`, kind: 'choice', options: [], others: /^\d{1,9}$/ }

const CREATED: FilterField = { key: 'created', label: msg`Created`, kind: 'date' }
const UPDATED: FilterField = { key: 'updated', label: msg`Last change`, kind: 'date' }
const AMOUNT: FilterField = { key: 'amount', label: msg`Amount`, kind: 'amount' }

const FIELDS: readonly FilterField[] = [STATUS, CREATED, UPDATED, AMOUNT, ASSET, NETWORK, WEBHOOK, CREATED_BY, PROJECT]

export type NamedProject = { readonly id: number; readonly name: string }

/** The parameters of an address that narrow the list beside its search. */
export const FIELD_KEYS = FIELDS.map(({ key }) => key)

/** Those that name days. */
export const DATE_KEYS: readonly string[] = [CREATED.key, UPDATED.key]

/** Returns what a list of payments can be narrowed by; by project only where several are listed. */
export function paymentFields(projects: readonly NamedProject[] | undefined): readonly FilterField[] {
  if (projects === undefined) return FIELDS.filter((field) => field !== PROJECT)
  const options = projects.map(({ id, name }) => ({ value: String(id), label: name }))
  return FIELDS.map((field) => (field === PROJECT ? { ...PROJECT, options } : field))
}

/** The values of an address. */
export type Search = Readonly<Record<string, string>>

/** Returns what an address narrows the list to, without its order and page: what an export holds too. */
export function narrowingOf(search: Search, now = new Date()) {
  const list = (field: ChoiceField) => {
    const values = readChoice(field, search[field.key])
    return values.length === 0 ? undefined : values
  }
  const [created, updated] = [stamps(search[CREATED.key], now), stamps(search[UPDATED.key], now)]
  const amounts = readAmounts(search[AMOUNT.key])
  const isDated = Object.keys({ ...created, ...updated }).length > 0
  const filter = {
    query: search.query,
    paymentStatus: list(STATUS),
    webhookStatus: list(WEBHOOK),
    currency: list(ASSET),
    network: list(NETWORK),
    createdBy: list(CREATED_BY),
    externalPlatformIds: list(PROJECT),
    dateFrom: created.from,
    dateTo: created.to,
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
  const { from, to } = days(text ?? '', now)
  return {
    ...(from && { from: localIso(from, 'start', now) }),
    ...(to && { to: localIso(to, 'end', now) }),
  }
}

function days(text: string, now: Date): Days {
  if (isDateSpan(text)) return daysOf(text, now)
  const range = readDays(text)
  return range === undefined ? {} : { from: readDay(range.from), to: readDay(range.to) }
}

/** The keys that have a value. */
function present<T extends object>(fields: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')) as {
    [Key in keyof T]?: NonNullable<T[Key]>
  }
}

/** Returns what the server is asked for by an address. */
export function filterOf(search: Search): PaymentFilter {
  return {
    ...narrowingOf(search),
    ...(search.sortBy && { sortBy: search.sortBy, sortDirection: search.sortDirection === 'ASC' ? 'ASC' : 'DESC' }),
    ...(pageSizeOf(search.limit) !== PAGE_SIZE && { limit: pageSizeOf(search.limit) }),
    ...(search.cursor && { cursor: search.cursor }),
  }
}

/** Returns the fields an address narrows the list by. */
export function narrowedBy(fields: readonly FilterField[], search: Search): readonly FilterField[] {
  return fields.filter((field) => isSet(field, search[field.key]))
}
