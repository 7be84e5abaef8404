/** The figures of each graph over a span (api.md 8.3, 8.5). */
import type { BarPoint, GraphData, GraphSpan } from '@kassa/contract/analytics/schemas.ts'
import { type Grouping, SERIES_COLOURS } from '@kassa/contract/analytics/groups.ts'
import { usdForUnits } from '@kassa/primitives/money/rate.ts'
import { usd } from '@kassa/primitives/money/usd.ts'
import type * as z from 'zod/mini'

import type { Context } from '../../../context.ts'
import { type Asset, listAssets } from '../../blockchains/chains/service.ts'
import { coinsOnAddresses } from '../../ledger/service.ts'
import { currentPrices } from '../../prices/service.ts'
import { findFirstPaid, type Moments, sumBuckets, type Summed } from '../rollups/service.ts'
import { changeText, countText, dollarText, durationText, percentOf, shortDollarText } from './amount-rules.ts'
import type { Filter } from './filter-rules.ts'
import { distinctPayers, distinctRequesters } from './distinct-customers.ts'
import { quantile } from './finality-rules.ts'
import { bucketLabels, bucketLength, bucketsOf, presetSpan, spanBefore } from './span-rules.ts'
import { recentRows } from './recent-view.ts'
import { countCreated, countFinalityTimes, countPayers, listRecent } from './store.ts'

/** The question of a graph: projects, a span and filters. */
export type Question = {
  readonly projectIds: readonly number[]
  readonly span: Moments
  readonly filter: Filter
  readonly backend: string
  readonly now: Date
}

type Data = GraphData['data']

/** How a graph is computed, and which span it covers without a filter of dates. */
export type Figure = {
  readonly span: 'filter' | 'forever' | 'last_30_days' | 'none'
  readonly read: (ctx: Context, question: Question) => Promise<Data>
  readonly attributes?: GraphData['attributes']
}

const number = (label: string, text: string, value: string, subtext = '') => [{ label, text, subtext, value }]

const sumUsd = (sums: readonly Summed[]) => sums.reduce((total, one) => total + one.usd, 0n)
const sumCount = (sums: readonly Summed[]) => sums.reduce((total, one) => total + one.count, 0)

async function totalPayments(ctx: Context, { projectIds, span }: Question): Promise<Data> {
  const total = sumUsd(await sumBuckets(ctx, 'paid', projectIds, [span]))
  return number('Total payments', dollarText(total), usd(total))
}

async function recentPayments(ctx: Context, { projectIds, span, filter }: Question): Promise<Data> {
  const sums = await sumBuckets(ctx, 'paid', projectIds, [span, spanBefore(span, filter.zone)])
  const [now, before] = [0, 1].map((bucket) => sumUsd(sums.filter((one) => one.bucket === bucket)))
  const change = changeText(now ?? 0n, before ?? 0n)
  return number('Payments in last 30 days', dollarText(now ?? 0n), usd(now ?? 0n), change)
}

const counted = (label: string, count: number) => number(label, countText(count), String(count))

async function customersEver(
  ctx: Context,
  kind: 'payer' | 'requester',
  label: string,
  question: Question,
): Promise<Data> {
  return counted(label, sumCount(await sumBuckets(ctx, kind, question.projectIds, [question.span])))
}

async function payersOfSpan(ctx: Context, { projectIds, span }: Question): Promise<Data> {
  return counted('Paying Users in last 30 days', (await distinctPayers(ctx, projectIds, [span]))[0] ?? 0)
}

async function requestersOfSpan(ctx: Context, { projectIds, span }: Question): Promise<Data> {
  return counted('User attempted in last 30 days', await distinctRequesters(ctx, projectIds, span))
}

/** Counted deposits by bucket and series; every bucket has every series that has any value. */
async function bars(ctx: Context, question: Question, measure: 'usd' | 'count'): Promise<Data> {
  const { projectIds, filter } = question
  const { points, buckets } = frameOf(question)
  const seriesOf = await seriesBy(ctx, filter)
  const totals = new Map<string, bigint>()
  const cells = new Map<string, bigint>()
  for (const sum of await sumBuckets(ctx, 'paid', projectIds, buckets)) {
    const series = seriesOf(sum.assetId)
    if (series === null) continue
    const amount = measure === 'usd' ? sum.usd : BigInt(sum.count)
    const key = `${sum.bucket} ${series}`
    totals.set(series, (totals.get(series) ?? 0n) + amount)
    cells.set(key, (cells.get(key) ?? 0n) + amount)
  }
  const text = (amount: bigint) => (measure === 'usd' ? usd(amount) : String(amount))
  const names = largestFirst(totals)
  if (names.length === 0) return []
  return points.map((point, bucket) =>
    bar(
      point,
      names.map((name) => [name, text(cells.get(`${bucket} ${name}`) ?? 0n)]),
    ),
  )
}

async function distribution(ctx: Context, { projectIds, span, filter, backend }: Question): Promise<Data> {
  const seriesOf = await seriesBy(ctx, filter)
  const totals = new Map<string, bigint>()
  for (const { assetId, usd: amount } of await sumBuckets(ctx, 'paid', projectIds, [span])) {
    const series = seriesOf(assetId)
    if (series !== null) totals.set(series, (totals.get(series) ?? 0n) + amount)
  }
  const whole = [...totals.values()].reduce((sum, one) => sum + one, 0n)
  return largestFirst(totals).map((name) => {
    const amount = totals.get(name) ?? 0n
    return {
      id: name,
      label: name,
      value: usd(amount),
      color: colourOf(name),
      icon: `${backend}/images/icons/${name}.png`,
      display: shortDollarText(amount),
      description: `${percentOf(amount, whole) ?? '0.0'}%`,
    }
  })
}

type Payers = { readonly fresh: number; readonly total: number }

/** Distinct customers of each bucket. Without a filter, a roll-up has the new ones, and no customer row is read. */
async function payers(ctx: Context, { projectIds, filter }: Question, buckets: readonly Moments[]): Promise<Payers[]> {
  const none = { fresh: 0, total: 0 }
  if (filter.currencies.length > 0) {
    const assets = await listAssets(ctx)
    const assetIds = assets.filter(({ currencyCode }) => filter.currencies.includes(currencyCode)).map(({ id }) => id)
    const found = new Map(
      (await countPayers(ctx, projectIds, { buckets, assetIds })).map(({ bucket, ...one }) => [bucket, one]),
    )
    return buckets.map((_, bucket) => found.get(bucket) ?? none)
  }
  const sums = await sumBuckets(ctx, 'payer', projectIds, buckets)
  const fresh = buckets.map((_, bucket) => sumCount(sums.filter((one) => one.bucket === bucket)))
  // There are no payments before a span from the beginning, so every customer in it paid for the first time.
  const first = await findFirstPaid(ctx, projectIds)
  const later = buckets.filter(({ from }) => first !== null && from > first)
  const totals = await distinctPayers(ctx, projectIds, later)
  const early = buckets.length - later.length
  return fresh.map((count, bucket) => ({ fresh: count, total: bucket < early ? count : (totals[bucket - early] ?? 0) }))
}

async function payingUsers(ctx: Context, question: Question): Promise<Data> {
  const { points, buckets } = frameOf(question)
  const found = await payers(ctx, question, buckets)
  if (found.every(({ total }) => total === 0)) return []
  return points.map((point, bucket) => {
    const { fresh = 0, total = 0 } = found[bucket] ?? {}
    return bar(point, [
      ['New', String(fresh)],
      ['Recurring', String(total - fresh)],
    ])
  })
}

async function totalPayingUsers(ctx: Context, question: Question): Promise<Data> {
  const [one] = await payers(ctx, question, [question.span])
  const { fresh = 0, total = 0 } = one ?? {}
  if (total === 0) return []
  return [
    { label: 'New', value: countText(fresh), description: 'Paid for the first time' },
    { label: 'Recurring', value: countText(total - fresh), description: 'Had paid before' },
    { label: 'Total', value: countText(total), description: 'Distinct customers with final deposits' },
  ]
}

async function conversion(ctx: Context, { projectIds, span }: Question): Promise<Data> {
  const counts = await countCreated(ctx, projectIds, span)
  const of = (...states: string[]) => states.reduce((sum, state) => sum + BigInt(counts.get(state) ?? 0), 0n)
  const all = [...counts.values()].reduce((sum, count) => sum + BigInt(count), 0n)
  const share = percentOf(of('FILLED', 'OVER_FILLED'), all)
  const open = percentOf(of('OPEN', 'PARTIALLY_FILLED'), all)
  if (share === null) return number('Conversion', 'N/A', '0', 'N/A')
  return number('Conversion', `${share}%`, share, `${open}% still open`)
}

async function timeToFinality(ctx: Context, { projectIds, span }: Question): Promise<Data> {
  const assets = await listAssets(ctx)
  const codes = new Map(assets.map(({ blockchainId, blockchainCode }) => [blockchainId, blockchainCode]))
  const groups = Map.groupBy(await countFinalityTimes(ctx, projectIds, span), (one) => one.blockchain_id)
  return [...groups].map(([blockchainId, counts]) => {
    const [medianSeconds, p95Seconds] = [quantile(counts, 0.5), quantile(counts, 0.95)]
    return {
      label: codes.get(blockchainId) ?? String(blockchainId),
      value: `about ${durationText(medianSeconds)}`,
      description: `95% within about ${durationText(p95Seconds)}`,
      medianSeconds,
      p95Seconds,
      count: counts.reduce((sum, { count }) => sum + count, 0),
    }
  })
}

async function unsweptValue(ctx: Context, { filter: { projectIds } }: Question): Promise<Data> {
  const prices = await currentPrices(ctx)
  const coins = (await coinsOnAddresses(ctx, projectIds)).filter(({ units }) => units > 0n)
  const priceOf = (assetId: number | null) => (assetId === null ? undefined : prices.get(assetId))
  const value = coins.reduce((sum, { unit, units }) => {
    const price = priceOf(unit.assetId)
    return price ? sum + usdForUnits({ units, price, decimals: unit.decimals, rounding: 'down' }) : sum
  }, 0n)
  const unpriced = [...new Set(coins.filter(({ unit }) => !priceOf(unit.assetId)).map(({ unit }) => unit.currencyCode))]
  const subtext = unpriced.length > 0 ? `without ${unpriced.join(', ')}: no price right now` : ''
  return number('Unswept value', dollarText(value), usd(value), subtext)
}

/** Every graph, by its id. */
export const FIGURES: ReadonlyMap<number, Figure> = new Map<number, Figure>([
  [1, { span: 'forever', read: totalPayments }],
  [2, { span: 'last_30_days', read: recentPayments }],
  [3, { span: 'forever', read: (ctx, asked) => customersEver(ctx, 'payer', 'Total paying users', asked) }],
  [4, { span: 'last_30_days', read: payersOfSpan }],
  [
    5,
    { span: 'forever', read: (ctx, asked) => customersEver(ctx, 'requester', 'Total users requested payments', asked) },
  ],
  [6, { span: 'last_30_days', read: requestersOfSpan }],
  [7, { span: 'filter', read: (ctx, asked) => bars(ctx, asked, 'usd'), attributes: axes('USD') }],
  [8, { span: 'filter', read: (ctx, asked) => bars(ctx, asked, 'count'), attributes: axes('Transactions') }],
  [9, { span: 'filter', read: distribution }],
  [10, { span: 'filter', read: payingUsers, attributes: axes('Users') }],
  [11, { span: 'filter', read: totalPayingUsers }],
  [
    12,
    {
      span: 'none',
      read: async (ctx, asked) =>
        recentRows(ctx, await listRecent(ctx, asked.projectIds, asked.filter.limit), asked.backend),
    },
  ],
  [13, { span: 'filter', read: conversion }],
  [14, { span: 'filter', read: timeToFinality }],
  [15, { span: 'none', read: unsweptValue }],
])

function axes(left: string): GraphData['attributes'] {
  return { axisBottom: 'Date', axisLeft: left }
}

/** The span a figure covers; null from the beginning. */
export function spanOf(
  figure: Figure,
  { date, zone }: Filter,
  now: Date,
): { readonly from: Date | null; readonly until: Date } | null {
  if (figure.span === 'none') return null
  if (figure.span !== 'filter') return presetSpan(figure.span, zone, now)
  return date.preset === 'custom' ? date.span : presetSpan(date.preset, zone, now)
}

/** A span as the contract shows it; graphs of bars name the length of their buckets. */
export function spanView(
  figure: Figure,
  span: { readonly from: Date | null; readonly until: Date },
  { zone }: Filter,
  isFromBeginning: boolean,
): z.output<typeof GraphSpan> {
  const { from, until } = span
  const bucket = figure.attributes !== undefined && from ? bucketLength({ from, until }, zone) : null
  return { from: isFromBeginning ? null : from, until, timezone: zone.name, bucket }
}

/** The buckets of a span, and their points without series. */
export function frameOf({ span, filter: { zone } }: Pick<Question, 'span' | 'filter'>) {
  const length = bucketLength(span, zone)
  const buckets = bucketsOf(span, zone, length)
  const points = buckets.map((bucket) => ({
    ...bucketLabels(bucket, zone, length),
    at: bucket.from,
    until: bucket.until,
  }))
  return { buckets, points }
}

/** The series of an asset, or null when the graph does not show it. */
async function seriesBy(
  ctx: Context,
  { groupBy, codes, currencies }: Filter,
): Promise<(assetId: number) => string | null> {
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  return (assetId) => {
    const asset = assets.get(assetId)
    if (!asset || (currencies.length > 0 && !currencies.includes(asset.currencyCode))) return null
    const code = codeOf(asset, groupBy)
    return codes.length === 0 || codes.includes(code) ? code : null
  }
}

function codeOf(asset: Asset, groupBy: Grouping): string {
  return groupBy === 'currency_code' ? asset.currencyCode : asset.blockchainCode
}

function largestFirst(totals: ReadonlyMap<string, bigint>): string[] {
  return [...totals]
    .filter(([, amount]) => amount > 0n)
    .toSorted(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1))
    .map(([name]) => name)
}

type Bar = z.output<typeof BarPoint>

/** A bucket with its series: its times are dates, and every other field is a text. */
export function bar(
  point: Pick<Bar, 'Timestamp' | 'Extras'> & { at: Date; until: Date },
  series: readonly (readonly [string, string])[],
): Bar {
  const fields: unknown = Object.fromEntries(
    series.flatMap(([name, value]) => [
      [name, value],
      [`${name}Color`, colourOf(name)],
    ]),
  )
  return Object.assign({ ...point }, fields) as Bar
}

/** A colour for series without their own. */
const OTHER_COLOUR = '#8a94a6'

function colourOf(name: string): string {
  return SERIES_COLOURS[name] ?? OTHER_COLOUR
}
