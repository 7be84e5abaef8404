import {
  DATE_PRESETS,
  FILTER_NAMES,
  type FilterId,
  type Graph,
  type GraphGroup,
  GROUPINGS,
  SERIES_COLOURS,
} from '@kassa/contract/analytics/groups.ts'
import type { GraphFilters, GroupChoice } from '@kassa/contract/analytics/inputs.ts'
import type { UserGroup } from '@kassa/contract/analytics/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { CURRENCIES } from '@kassa/primitives/chains/currencies.ts'

import type { ChoiceRow } from './choice-store.ts'
import { FIGURES } from './figures.ts'
import { RECENT_COLUMNS } from './recent-view.ts'

/** The time shown for groups that an operator has not changed. */
const GROUPS_SINCE = new Date('2026-11-01T00:00:00Z')

export type GroupPlace = {
  /** The project of the path, or `all`. */
  readonly project: string
  readonly backend: string
  readonly memberId: number
}

/** A group as its operator arranged it. */
export function groupView(group: GraphGroup, choice: ChoiceRow | undefined, place: GroupPlace): UserGroup {
  const chosen = choice?.filters[place.project] ?? {}
  return {
    id: group.id,
    createdAt: choice?.created_at ?? GROUPS_SINCE,
    updatedAt: choice?.updated_at ?? GROUPS_SINCE,
    memberID: place.memberId,
    groupID: group.id,
    visible: choice?.visible ?? true,
    customFilters: Object.entries(chosen).map(([filterId, value]) => ({
      id: group.id * 100 + Number(filterId),
      ExternalPlatformIDStr: place.project,
      userGroupID: group.id,
      filterID: Number(filterId),
      value,
    })),
    analyticsGroup: {
      id: group.id,
      name: group.name,
      description: group.description,
      isDefault: true,
      filters: filtersOf(group).map((id) => filterView(id, chosen[id], place.backend)),
      graphs: group.graphs.map((graph, at) => graphView(graph, group.id, at + 1)),
    },
    category: 'payment',
    sequence: choice?.sequence ?? group.sequence,
  }
}

/** The filters of a group: those of its graphs, by id. */
function filtersOf({ graphs }: GraphGroup): FilterId[] {
  return [...new Set(graphs.flatMap(({ filters }) => [...filters]))].toSorted((a, b) => a - b)
}

function graphView(graph: Graph, groupID: number, sequence: number) {
  const isColoured = graph.type === 'bar_graph' || graph.type === 'pie_with_info_graph'
  const attributes = FIGURES.get(graph.id)?.attributes ?? (graph.type === 'table_graph' ? RECENT_COLUMNS : null)
  return {
    id: graph.id,
    groupID,
    name: graph.name,
    description: graph.description,
    graphType: graph.type,
    ColorMappings: JSON.stringify(isColoured ? SERIES_COLOURS : {}),
    attributes: JSON.stringify(attributes),
    active: true,
    sequence,
    analyticsGroup: {},
  }
}

const codes = (list: readonly { readonly code: string }[]) => list.map(({ code }) => code)

/** What each filter offers, its value when nothing is chosen, and whose icons it shows. */
const FILTERS: Readonly<
  Record<
    FilterId,
    {
      readonly type: string
      readonly value: unknown
      readonly options: readonly object[]
      readonly icons: readonly string[]
    }
  >
> = {
  1: {
    type: 'date',
    value: 'last_30_days',
    options: DATE_PRESETS.map((value) => ({ label: labelOf(value), value })),
    icons: [],
  },
  2: groupBy('group_by'),
  3: {
    type: 'multi_select',
    value: [],
    options: CURRENCIES.map(({ name, code }) => ({ label: name, value: code })),
    icons: codes(CURRENCIES),
  },
  4: groupBy('group_by_only'),
}

function groupBy(type: string) {
  const labels = { currency_code: 'Currency', blockchain_code: 'Network' }
  return {
    type,
    value: { code: 'currency_code' },
    options: GROUPINGS.map((code) => ({ label: labels[code], value: { code } })),
    icons: [...codes(CURRENCIES), ...codes(BLOCKCHAINS)],
  }
}

/** `last_7_days` → `Last 7 days`. */
function labelOf(preset: string): string {
  const words = preset.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function filterView(id: FilterId, chosen: string | undefined, backend: string) {
  const { type, value, options, icons } = FILTERS[id]
  return {
    id,
    name: FILTER_NAMES[id],
    type,
    value: chosen ?? JSON.stringify(value),
    options: JSON.stringify(options),
    iconMappings: Object.fromEntries(icons.map((code) => [code, `${backend}/images/icons/${code}.png`])),
  }
}

/** Filters as an operator sends them, by their ids, and as a graph would read them. @throws FILTER_INVALID */
export function chosenFilters(
  group: GraphGroup,
  chosen: NonNullable<GroupChoice['customFilters']>,
): { readonly stored: Readonly<Record<string, string>>; readonly filters: GraphFilters } {
  const known = filtersOf(group)
  const stored: Record<string, string> = {}
  const filters: Record<string, unknown> = {}
  for (const { filterID, value } of chosen) {
    const id = known.find((one) => one === filterID)
    if (id === undefined || String(id) in stored) return invalid(`filterID ${filterID}`)
    stored[id] = value
    Object.assign(filters, asSent(id, parsed(value, FILTER_NAMES[id])))
  }
  return { stored, filters }
}

/** A custom span is stored as one value, `{"custom": {start_date, end_date}}`, of the filter of dates. */
function asSent(id: FilterId, value: unknown): Record<string, unknown> {
  const isSpan = id === 1 && typeof value === 'object' && value !== null && 'custom' in value
  return isSpan ? { analytics_date_filter: 'custom', custom: value.custom } : { [FILTER_NAMES[id]]: value }
}

function parsed(text: string, filter: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return invalid(filter)
  }
}

function invalid(filter: string): never {
  return fail('FILTER_INVALID', { values: { filter }, fields: { [filter]: `${filter} is not valid.` } })
}
