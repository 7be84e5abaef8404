/** Answers about analytics, as they come over the wire. */
import { FILTER_NAMES, GRAPH_GROUPS, type FilterId, type GraphType } from '@kassa/contract/analytics/groups.ts'

import { AT } from './answers.ts'
import type { Answers, SentCall } from './stub-server.ts'

/** The groups as everybody begins with them. */
export function analyticsGroups(more: Readonly<Record<number, object>> = {}) {
  return GRAPH_GROUPS.map(({ id, name, description, sequence, graphs }) => ({
    id,
    createdAt: AT,
    updatedAt: AT,
    memberID: 1,
    groupID: id,
    visible: true,
    customFilters: [],
    analyticsGroup: {
      id,
      name,
      description,
      isDefault: true,
      filters: filterIds(graphs).map((filter) => ({
        id: filter,
        name: FILTER_NAMES[filter],
        type: 'select',
        value: '""',
        options: '[]',
        iconMappings: {},
      })),
      graphs: graphs.map((graph, place) => ({
        id: graph.id,
        groupID: id,
        name: graph.name,
        description: graph.description,
        graphType: graph.type,
        ColorMappings: '{}',
        attributes: '{}',
        active: true,
        sequence: place + 1,
        analyticsGroup: {},
      })),
    },
    category: 'payment',
    sequence,
    ...more[id],
  }))
}

function filterIds(graphs: readonly { readonly filters: readonly FilterId[] }[]): readonly FilterId[] {
  return [...new Set(graphs.flatMap(({ filters }) => filters))]
}

const SPAN = { from: '2026-11-19T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z', timezone: 'UTC', bucket: 'day' }
const THURSDAY = { Timestamp: 'Nov 19', Extras: 'Thursday', at: SPAN.from, until: '2026-11-20T00:00:00.000Z' }
const FRIDAY = { Timestamp: 'Nov 20', Extras: 'Friday', at: THURSDAY.until, until: SPAN.until }

const number = (text: string, subtext = '') => [{ label: '', text, subtext, value: '1' }]
const bars = (one: object, other: object) => [
  { ...THURSDAY, ...one },
  { ...FRIDAY, ...other },
]

/** What each graph says of a small shop. */
const FIGURES: Readonly<Record<number, unknown>> = {
  1: number('$1,204,330.00'),
  2: number('$84,112.00', '+12.5%'),
  3: number('4,210'),
  4: number('512', '-3%'),
  5: number('6,004'),
  6: number('790', 'N/A'),
  7: bars({ USDC: '10.5', USDCColor: '#227fd2' }, { USDC: '49', USDCColor: '#227fd2' }),
  8: bars({ USDC: '2', USDCColor: '#227fd2' }, { USDC: '1', USDCColor: '#227fd2' }),
  9: [{ id: 'USDC', label: 'USDC', value: '59.5', color: '#227fd2', icon: '', display: '$60', description: '100.0%' }],
  10: bars({ New: '1', Recurring: '1' }, { New: '0', Recurring: '1' }),
  11: [{ label: 'Total', value: '2', description: '' }],
  12: [],
  13: number('81.3%', '2% still open'),
  14: [{ label: 'BASE', value: 'about 42 s', description: '', medianSeconds: 42, p95Seconds: 131, count: 3 }],
  15: number('$0.00'),
}

const ATTRIBUTES: Readonly<Record<string, unknown>> = {
  bar_graph: { axisBottom: 'Date', axisLeft: 'USD' },
  table_graph: [
    ...['', 'Deposit Date', 'Customer', 'Currency', 'Amount', 'To Address', 'Transaction', 'Status'].map((name) => ({
      cell_type: 'text',
      column_name: name,
    })),
  ],
}

/** The answer to a graph that is asked for. */
export function graphAnswer(id: number, type: GraphType, more: object = {}) {
  return {
    id,
    type,
    asOf: AT,
    countedPercent: null,
    span: type === 'table_graph' ? null : SPAN,
    data: FIGURES[id],
    attributes: ATTRIBUTES[type] ?? null,
    previous: null,
    ...more,
  }
}

/** Answers every call about analytics of a project; `changed` answers some graphs otherwise. */
export function analyticsAnswers(
  projectId: string | number,
  changed: Readonly<Record<number, (call: SentCall) => unknown>> = {},
): Answers {
  const prefix = `/external-platform/${projectId}/analytics/groups`
  const graphs = GRAPH_GROUPS.flatMap((group) => group.graphs.map((graph) => ({ group: group.id, ...graph })))
  return {
    [`GET ${prefix}`]: () => analyticsGroups(),
    ...Object.fromEntries(
      graphs.map(({ group, id, type }) => [
        `GET ${prefix}/${group}/graph/${id}/data`,
        changed[id] ?? (() => graphAnswer(id, type)),
      ]),
    ),
  }
}

/** A row of the newest deposits. */
export function depositRow(referenceID: string | null, status = 'Confirmed') {
  return [
    { image: '', tooltip: 'ann', referenceID, externalPlatformID: 7 },
    { value: AT },
    { name: 'ann@mail.example', description: '1001' },
    { icon: '', text: 'USDC', subtext: 'Base' },
    { text: '49 USDC', subtext: '$49.00' },
    { href: 'https://explorer.example/a', text: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', ellipsis: true },
    { href: 'https://explorer.example/t', text: '0xabc', ellipsis: true },
    { text: status },
  ]
}
