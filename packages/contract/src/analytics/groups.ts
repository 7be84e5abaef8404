/** The groups and graphs of the analytics (api.md 8.3): ids, names and sequences are contract, existing clients look for them. */
import type { BlockchainCode } from '@kassa/primitives/chains/blockchain.ts'
import type { CurrencyCode } from '@kassa/primitives/chains/currencies.ts'

export const GRAPH_TYPES = ['number_graph', 'bar_graph', 'pie_with_info_graph', 'info_graph', 'table_graph'] as const

export type GraphType = (typeof GRAPH_TYPES)[number]

/** The filters a group may offer, by their ids. */
export const FILTER_NAMES = {
  1: 'analytics_date_filter',
  2: 'group_by_network_currency_filter',
  3: 'in_query_currency_filter',
  4: 'group_by_only_network_currency_filter',
} as const

export type FilterId = keyof typeof FILTER_NAMES

/** What `analytics_date_filter` may say. */
export const DATE_PRESETS = [
  'today',
  'yesterday',
  'last_7_days',
  'last_14_days',
  'last_30_days',
  'this_month',
  'last_month',
  'last_6_months',
  'forever',
  'custom',
] as const

export type DatePreset = (typeof DATE_PRESETS)[number]

/** What a series of a bar or a part of the distribution stands for. */
export const GROUPINGS = ['currency_code', 'blockchain_code'] as const

export type Grouping = (typeof GROUPINGS)[number]

export type Graph = {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly type: GraphType
  /** The filters it reads, by id; others are refused by no graph and change nothing. */
  readonly filters: readonly FilterId[]
}

export type GraphGroup = {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly sequence: number
  /** In the order in which they are shown. */
  readonly graphs: readonly Graph[]
}

const number = { type: 'number_graph', filters: [] } as const

export const GRAPH_GROUPS = [
  {
    id: 1,
    name: 'Numbers',
    description: 'Money received and customers, in all and in the last 30 days',
    sequence: 1,
    graphs: [
      { id: 1, name: 'Total payments', description: 'US dollars of all final, applied deposits', ...number },
      {
        id: 2,
        name: 'Payments in last 30 days',
        description: 'US dollars of the last 30 days, with the change against the 30 days before',
        ...number,
      },
      { id: 3, name: 'Total paying users', description: 'Distinct customers with final deposits', ...number },
      {
        id: 4,
        name: 'Paying Users in last 30 days',
        description: 'Distinct customers with final deposits of the last 30 days',
        ...number,
      },
      { id: 5, name: 'Total users requested payments', description: 'Distinct customers with any payment', ...number },
      {
        id: 6,
        name: 'User attempted in last 30 days',
        description: 'Distinct customers with any payment created in the last 30 days',
        ...number,
      },
    ],
  },
  {
    id: 2,
    name: 'Transaction Summary',
    description: 'Final deposits over time',
    sequence: 3,
    graphs: [
      {
        id: 7,
        name: 'Payments in USD',
        description: 'US dollars of final deposits, by currency or network',
        type: 'bar_graph',
        filters: [1, 2],
      },
      {
        id: 8,
        name: 'Number of Transactions',
        description: 'Final deposits, by currency or network',
        type: 'bar_graph',
        filters: [1, 2],
      },
    ],
  },
  {
    id: 3,
    name: 'Deposit Distribution',
    description: 'What the money came in',
    sequence: 4,
    graphs: [
      {
        id: 9,
        name: 'Payment Distributions in USD',
        description: 'US dollars of final deposits per currency or network',
        type: 'pie_with_info_graph',
        filters: [1, 4],
      },
    ],
  },
  {
    id: 4,
    name: 'Paying User Summary',
    description: 'Customers who paid, for the first time and again',
    sequence: 5,
    graphs: [
      {
        id: 10,
        name: 'Paying Users',
        description: 'Distinct customers with final deposits: those who paid for the first time, and the others',
        type: 'bar_graph',
        filters: [1, 3],
      },
      {
        id: 11,
        name: 'Total Paying Users',
        description: 'Distinct customers of the whole period',
        type: 'info_graph',
        filters: [1, 3],
      },
    ],
  },
  {
    id: 5,
    name: 'Recent Transactions',
    description: 'The newest deposits',
    sequence: 2,
    graphs: [
      {
        id: 12,
        name: 'Recent Transactions',
        description: 'The newest deposits in any state',
        type: 'table_graph',
        filters: [],
      },
    ],
  },
  {
    id: 6,
    name: 'Operations',
    description: 'How well payments go through',
    sequence: 6,
    graphs: [
      {
        id: 13,
        name: 'Conversion',
        description: 'Share of the payment links created in the period that were paid in full',
        type: 'number_graph',
        filters: [1],
      },
      {
        id: 14,
        name: 'Time to finality',
        description: 'From the payment link to its final deposit, per network',
        type: 'info_graph',
        filters: [1],
      },
      { id: 15, name: 'Unswept value', description: 'US dollars that lie at deposit addresses', ...number },
    ],
  },
] as const satisfies readonly GraphGroup[]

/** Colours of series and parts (api.md 8.5). */
export const SERIES_COLOURS: Readonly<Record<string, string>> = {
  BTC: '#F7931A',
  ETH: '#627EEA',
  TRX: '#C23631',
  BASE: '#0052FF',
  POLYGON: '#8247E5',
  POL: '#8247E5',
  SOLANA: '#14F195',
  SOL: '#14F195',
  USDT: '#88bf4d',
  USDC: '#227fd2',
  CBBTC: '#FFD700',
  New: '#84cc16',
  Recurring: '#3b82f6',
  Promoters: '#84cc16',
  Invitees: '#3b82f6',
} satisfies Record<BlockchainCode | CurrencyCode, string> & Record<string, string>

/** What Recent Transactions calls the states of a deposit. */
export const DEPOSIT_STATE_LABELS: Readonly<Record<string, string>> = {
  seen: 'Confirming',
  confirmed: 'Confirming',
  applied: 'Confirmed',
  unapplied: 'Unmatched',
  quarantined: 'On hold',
  reverted: 'Reverted',
  ignored: 'Ignored',
}
