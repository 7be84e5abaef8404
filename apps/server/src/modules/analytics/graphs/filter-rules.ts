/** What a caller asks of a graph (api.md 8.2). Unknown, ill-formed or repeated filters are refused by name. */
import { DATE_PRESETS, type DatePreset, GROUPINGS, type Grouping } from '@kassa/contract/analytics/groups.ts'
import type { GraphFilters } from '@kassa/contract/analytics/inputs.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { foldKey } from '@kassa/contract/kit/fold.ts'
import { readMoment } from '@kassa/contract/kit/moments.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { findCurrency } from '@kassa/primitives/chains/currencies.ts'

import type { Moments } from '../rollups/rules.ts'
import { type Zone, zoneOf } from './zone-rules.ts'

/** The longest custom span. */
const MOST_YEARS = 5

const LIMIT = { least: 1, most: 100, usual: 10 } as const

export type Filter = {
  readonly date:
    | { readonly preset: Exclude<DatePreset, 'custom'> }
    | { readonly preset: 'custom'; readonly span: Moments }
  readonly zone: Zone
  /** Currencies to count; an empty list names all. */
  readonly currencies: readonly string[]
  readonly groupBy: Grouping
  /** Series to show; an empty list names all. */
  readonly codes: readonly string[]
  readonly limit: number
  readonly projectIds: readonly number[] | 'every'
  readonly isCompared: boolean
}

/** Reads the filters of a graph, within the projects the caller may see. @throws FILTER_INVALID */
export function readFilters(input: GraphFilters, visible: readonly number[] | 'every'): Filter {
  const { analytics_date_filter: date, date_filter: dateAlias, custom, start_date, end_date, ...more } = input
  const { custom_start_date, custom_end_date, in_query_currency_filter: currencies, currency_codes, ...others } = more
  const { group_by_network_currency_filter: group, group_by_only_network_currency_filter: groupOnly, ...rest } = others
  const { limit, externalPlatformIds, timezone, compare, ...unknown } = rest
  const [stranger] = Object.keys(unknown)
  if (stranger !== undefined) invalid(stranger)
  const zone = timezone === undefined ? zoneOf('UTC') : zoneOf(word('timezone', timezone))
  if (!zone) return invalid('timezone')
  const preset = once(date, 'date_filter', dateAlias)
  const ends = customOf(custom, {
    start: once(start_date, 'custom_start_date', custom_start_date),
    end: once(end_date, 'custom_end_date', custom_end_date),
  })
  return {
    date: dateOf(preset, ends, zone),
    zone,
    currencies: list('in_query_currency_filter', once(currencies, 'currency_codes', currency_codes)).map(
      (code) => findCurrency(code)?.code ?? invalid('in_query_currency_filter'),
    ),
    ...groupOf(group, groupOnly),
    limit: limit === undefined ? LIMIT.usual : limitOf(limit),
    projectIds: narrowed(visible, list('externalPlatformIds', externalPlatformIds)),
    isCompared: compare !== undefined && (compare === 'previous' || invalid('compare')),
  }
}

function once(value: unknown, alias: string, aliasValue: unknown): unknown {
  if (value !== undefined && aliasValue !== undefined) invalid(alias)
  return value ?? aliasValue
}

type Ends = { readonly start: unknown; readonly end: unknown }

function customOf(custom: unknown, loose: Ends): Ends | null {
  const isLoose = loose.start !== undefined || loose.end !== undefined
  if (custom === undefined) return isLoose ? loose : null
  if (isLoose) return invalid('custom')
  const fields = record('custom', custom, ['start_date', 'end_date'])
  return { start: fields.start_date, end: fields.end_date }
}

function dateOf(value: unknown, ends: Ends | null, zone: Zone): Filter['date'] {
  const preset = value === undefined ? 'last_30_days' : word('analytics_date_filter', value)
  const known = DATE_PRESETS.find((one) => one === preset) ?? invalid('analytics_date_filter')
  if (known !== 'custom') return ends ? invalid('custom') : { preset: known }
  if (!ends) return invalid('custom')
  const timezone = zone.name
  const from = readMoment(word('start_date', ends.start), { timezone }) ?? invalid('start_date')
  const last = readMoment(word('end_date', ends.end), { timezone, isEnd: true }) ?? invalid('end_date')
  const span = { from: dayStart(ends.start, from, zone), until: afterEnd(ends.end, last, zone) }
  if (span.from >= span.until) return invalid('end_date')
  const { year, month, day } = zone.wallAt(span.from)
  if (span.until > zone.startOf(year + MOST_YEARS, month, day + 1)) return invalid('end_date')
  return { preset: 'custom', span }
}

/** A day begins when its time zone says so, which on some days is not midnight. */
const DAY = /^\s*(\d{4})-(\d\d)-(\d\d)\s*$/

function dayStart(text: unknown, moment: Date, zone: Zone): Date {
  const [, year, month, day] = DAY.exec(String(text)) ?? []
  return day === undefined ? moment : zone.startOf(Number(year), Number(month), Number(day))
}

/** The moment after the last one: a range ends with its last millisecond. */
function afterEnd(text: unknown, last: Date, zone: Zone): Date {
  const [, year, month, day] = DAY.exec(String(text)) ?? []
  if (day !== undefined) return zone.startOf(Number(year), Number(month), Number(day) + 1)
  return new Date(last.getTime() + 1)
}

function groupOf(group: unknown, groupOnly: unknown): Pick<Filter, 'groupBy' | 'codes'> {
  const name = group === undefined ? 'group_by_only_network_currency_filter' : 'group_by_network_currency_filter'
  if (group !== undefined && groupOnly !== undefined) return invalid('group_by_only_network_currency_filter')
  const value = group ?? groupOnly
  if (value === undefined) return { groupBy: 'currency_code', codes: [] }
  const plain = GROUPINGS.find((one) => one === value)
  if (plain) return { groupBy: plain, codes: [] }
  const fields = record(name, value, group === undefined ? ['code'] : ['code', 'code_filters'])
  const groupBy = GROUPINGS.find((one) => one === fields.code) ?? invalid(name)
  const find = groupBy === 'currency_code' ? findCurrency : findBlockchain
  return { groupBy, codes: list(name, fields.code_filters).map((code) => find(code)?.code ?? invalid(name)) }
}

/** An object, or its JSON, with these keys only. */
function record(filter: string, value: unknown, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const object = typeof value === 'string' ? parsed(value) : value
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return invalid(filter)
  const fields: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(object)) {
    const known = keys.find((name) => foldKey(name) === foldKey(key)) ?? invalid(filter)
    if (known in fields) return invalid(filter)
    fields[known] = field
  }
  return fields
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A list, its JSON, or words separated by commas; nothing is an empty list. */
function list(filter: string, value: unknown): string[] {
  if (value === undefined || value === null || value === '') return []
  const items: unknown = typeof value === 'string' ? (value.startsWith('[') ? parsed(value) : value.split(',')) : value
  if (!Array.isArray(items)) return invalid(filter)
  return items.map((item: unknown) => (typeof item === 'number' ? String(item) : word(filter, item)))
}

function word(filter: string, value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? invalid(filter) : text
}

function limitOf(value: unknown): number {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d{1,3}$/.test(value))
  const limit = isNumber ? Number(value) : Number.NaN
  return Number.isInteger(limit) && limit >= LIMIT.least && limit <= LIMIT.most ? limit : invalid('limit')
}

function narrowed(visible: readonly number[] | 'every', wanted: readonly string[]): readonly number[] | 'every' {
  if (wanted.length === 0) return visible
  const ids = wanted.map((id) => (/^\d{1,9}$/.test(id) ? Number(id) : invalid('externalPlatformIds')))
  return visible === 'every' ? [...new Set(ids)] : visible.filter((id) => ids.includes(id))
}

function invalid(filter: string): never {
  return fail('FILTER_INVALID', { values: { filter }, fields: { [filter]: `${filter} is not valid.` } })
}
