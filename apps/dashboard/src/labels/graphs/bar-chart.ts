import type { GraphData } from '@kassa/contract/analytics/schemas.ts'
import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { networkName } from '../networks/network-name.ts'
import { utcIso } from '../../lib/time/time.ts'
import type { ChartRows } from '../../ui/charts/ChartTable.tsx'
import type { ChartPoint, ChartSeries } from '../../ui/charts/rules/series.ts'
import { totalOf, totalsOf } from '../../ui/charts/rules/series.ts'
import type { Grouping } from './grouping.ts'
import { COUNTS, decimalOf, DOLLARS, type Figures, unitsOf } from './units.ts'

export type BarGraph = Extract<GraphData, { type: 'bar_graph' }>
export type Bar = BarGraph['data'][number]

/** A graph over time, ready to be drawn. */
export type BarChart = {
  readonly points: readonly ChartPoint[]
  readonly series: readonly ChartSeries[]
  readonly figures: Figures
  /** The sums of the period before; absent where it was not asked for. */
  readonly before: readonly bigint[] | undefined
  /** Customers who paid on two days are two in the sum of the days. */
  readonly isAdditive: boolean
}

/** Counts people, who come again. */
const PAYING_USERS = 10

/** What of a bar is no series. */
const FRAME = new Set(['Timestamp', 'Extras', 'at', 'until'])

/** Series that have words of their own; the others are codes of currencies and networks. */
const SERIES_NAMES: Readonly<Record<string, ReturnType<typeof msg>>> = {
  New: msg({ message: 'New', comment: 'customers who paid for the first time' }),
  Recurring: msg({ message: 'Recurring', comment: 'customers who paid before' }),
  Promoters: msg`Promoters`,
  Invitees: msg({ message: 'Invitees', comment: 'customers whom promoters brought' }),
}

/** Reads a graph over time; figures of other graphs than payments in US dollars are counts. */
export function barChart(graph: BarGraph, grouping: Grouping): BarChart {
  const figures = isOfDollars(graph) ? DOLLARS : COUNTS
  const keys = seriesOf(graph.data)
  const valuesOf = (bars: readonly Bar[], key: string) => bars.map((bar) => unitsOf(text(bar, key), figures.decimals))
  const series = keys.map((key) => ({
    key,
    name: seriesName(key, grouping),
    color: graph.data.map((bar) => text(bar, `${key}Color`, '')).find((color) => color !== ''),
    values: valuesOf(graph.data, key),
  }))
  const earlier = graph.previous?.data
  return {
    isAdditive: graph.id !== PAYING_USERS,
    points: graph.data.map((bar) => pointOf(bar, graph)),
    series,
    figures,
    before:
      earlier &&
      totalsOf(
        seriesOf(earlier).map((key) => ({ key, name: key, values: valuesOf(earlier, key) })),
        earlier.length,
      ),
  }
}

function isOfDollars({ id, attributes }: BarGraph): boolean {
  return id === 7 || /usd|\$/i.test(attributes.axisLeft)
}

function seriesOf(bars: readonly Bar[]): string[] {
  const keys = new Set(bars.flatMap((bar) => Object.keys(bar)))
  return [...keys].filter((key) => !FRAME.has(key) && !(key.endsWith('Color') && keys.has(key.slice(0, -5))))
}

function text(bar: Bar, key: string, missing = '0'): string {
  const value: unknown = bar[key]
  return typeof value === 'string' ? value : missing
}

/** Whether a series is one of currencies or networks, and not of customers. */
export function isCode(key: string): boolean {
  return SERIES_NAMES[key] === undefined
}

/** Returns what a series is called: a network by its name, a currency by its code. */
export function seriesName(key: string, grouping: Grouping): string {
  const name = SERIES_NAMES[key]
  if (name !== undefined) return t(name)
  return grouping === 'blockchain_code' ? networkName(key) : key
}

function pointOf(bar: Bar, { asOf, span }: BarGraph): ChartPoint {
  return {
    key: bar.at.toISOString(),
    label: labelOf(bar, span?.bucket ?? 'day', span?.timezone ?? 'UTC'),
    name: nameOf(bar, span?.bucket ?? 'day', span?.timezone ?? 'UTC'),
    isCurrent: bar.at <= asOf && asOf < bar.until,
  }
}

const SHORT_FORMATS = {
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** A bucket below the axis, a day as lists write it: "6 Apr", where the wire has "Apr 06". */
function labelOf({ at, Timestamp: text }: Bar, bucket: keyof typeof FORMATS, timeZone: string): string {
  if (bucket === 'hour') return text
  return new Intl.DateTimeFormat(dateLanguage(), { ...SHORT_FORMATS[bucket], timeZone }).format(at)
}

/** English puts the day first. */
function dateLanguage(): string {
  return i18n.locale === 'en' ? 'en-GB' : i18n.locale
}

const FORMATS = {
  hour: { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  week: { day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** A bucket in full: "Monday, 6 April 2026", "Week of 6 April 2026", "April 2026". */
function nameOf({ at }: Bar, bucket: keyof typeof FORMATS, timeZone: string): string {
  const name = new Intl.DateTimeFormat(dateLanguage(), { ...FORMATS[bucket], timeZone }).format(at)
  return bucket === 'week' ? t`Week of ${name}` : name
}

/** Returns the figures as a table: `isFile` writes times in UTC and figures exactly, as files have them. */
export function barRows(graph: BarGraph, grouping: Grouping, { isFile }: { isFile: boolean }): ChartRows {
  const { points, series, figures, before } = barChart(graph, grouping)
  const write = isFile ? (units: bigint) => decimalOf(units, figures.decimals) : figures.text
  const unit = figures.unit === '' ? '' : ` (${figures.unit})`
  const totals = totalsOf(series, points.length)
  const when = (index: number) => {
    const bar = graph.data[index]
    return isFile
      ? [bar?.at, bar?.until].map((at) => (at === undefined ? '' : utcIso(at)))
      : [points[index]?.name ?? '']
  }
  const isOne = series.length === 1
  return {
    head: [
      ...(isFile ? [t`From (UTC)`, t`Until (UTC)`] : [t`Time`]),
      ...series.map(({ name }) => name + unit),
      ...(isOne ? [] : [t`Total` + unit]),
      ...(before === undefined ? [] : [t`Period before` + unit]),
    ],
    rows: points.map((_, index) => [
      ...when(index),
      ...series.map(({ values }) => write(values[index] ?? 0n)),
      ...(isOne ? [] : [write(totals[index] ?? 0n)]),
      ...(before === undefined ? [] : [write(before[index] ?? 0n)]),
    ]),
  }
}

/** Returns the sum of a whole chart. */
export function sumOf({ series }: Pick<BarChart, 'series'>): bigint {
  return totalOf(series.map(({ values }) => totalOf(values)))
}
