import type { GraphData } from '@kassa/contract/analytics/schemas.ts'
import { afterEach, describe, expect, it } from 'vitest'

import { chooseZone } from '../../../lib/time/time-zone.ts'
import { DEFAULT_SPAN, filterOf, graphFilters } from '../filters/dashboard-filter.ts'
import { barChart, barRows } from '../../../labels/graphs/bar-chart.ts'
import { countedOf, paidWithin } from './drill-down.ts'
import { durationText } from './durations.ts'
import { barSummary } from '../../../labels/graphs/summaries.ts'
import { decimalOf, DOLLARS, unitsOf } from '../../../labels/graphs/units.ts'

afterEach(() => localStorage.clear())

const at = (text: string) => new Date(text)

type Bars = Extract<GraphData, { type: 'bar_graph' }>

function graph(data: readonly object[], more: Partial<Bars> = {}): Bars {
  return {
    id: 7,
    type: 'bar_graph',
    asOf: at('2026-04-07T05:10:44Z'),
    countedPercent: null,
    span: { from: at('2026-04-06T00:00:00Z'), until: at('2026-04-08T00:00:00Z'), timezone: 'UTC', bucket: 'day' },
    attributes: { axisBottom: 'Date', axisLeft: 'USD' },
    previous: null,
    data: data as Bars['data'],
    ...more,
  }
}

const MONDAY = {
  Timestamp: 'Apr 06',
  Extras: 'Monday',
  at: at('2026-04-06T00:00:00Z'),
  until: at('2026-04-07T00:00:00Z'),
}
const TUESDAY = { Timestamp: 'Apr 07', Extras: 'Tuesday', at: MONDAY.until, until: at('2026-04-08T00:00:00Z') }

describe('figures', () => {
  it.each(['0', '0.000001', '9007199254740993.123456', '-12.5', '18446744073709551616'])(
    'keep every digit of %s',
    (text) => {
      expect(decimalOf(unitsOf(text, 6), 6)).toBe(text)
    },
  )

  it('are cut, and what is there is never nothing', () => {
    expect(unitsOf('1.2345678', 6)).toBe(1_234_567n)
    expect(DOLLARS.text(4_000n)).toBe('<$0.01')
    expect(DOLLARS.text(9_007_199_254_740_993_120_000n)).toBe('$9,007,199,254,740,993.12')
    expect(DOLLARS.tick(1_200_000_000n)).toBe('$1.2K')
  })
})

describe('a graph over time', () => {
  const bars = graph([
    { ...MONDAY, USDC: '10.5', USDCColor: '#227fd2', ETH: '0', ETHColor: '#627EEA' },
    { ...TUESDAY, USDC: '2', USDCColor: '#227fd2', ETH: '0.25', ETHColor: '#627EEA' },
  ])

  it('has its series without their colours, and a point that still fills', () => {
    const { points, series } = barChart(bars, 'currency_code')
    expect(points.map(({ name, isCurrent }) => [name, isCurrent])).toEqual([
      ['Monday, 6 April 2026', false],
      ['Tuesday, 7 April 2026', true],
    ])
    expect(series).toEqual([
      { key: 'USDC', name: 'USDC', color: '#227fd2', values: [10_500_000n, 2_000_000n] },
      { key: 'ETH', name: 'ETH', color: '#627EEA', values: [0n, 250_000n] },
    ])
    expect(barChart(bars, 'blockchain_code').series[1]?.name).toBe('Ethereum')
  })

  it('says what it holds in a sentence; of people, who come again, no sum', () => {
    expect(barSummary(barChart(bars, 'currency_code'))).toBe('$12.75 in total, highest 6 Apr: $10.50')
    const people = graph([{ ...MONDAY, New: '2', Recurring: '1' }], {
      id: 10,
      attributes: { axisBottom: 'Date', axisLeft: 'Users' },
    })
    expect(barSummary(barChart(people, 'currency_code'))).toBe('Highest 6 Apr: 3')
    expect(barSummary(barChart(graph([]), 'currency_code'))).toBe('$0.00')
  })

  it('is a file with the rows of the table, exact and in UTC', () => {
    const table = barRows(bars, 'currency_code', { isFile: false })
    const file = barRows(bars, 'currency_code', { isFile: true })
    expect(table.head).toEqual(['Time', 'USDC (USD)', 'ETH (USD)', 'Total (USD)'])
    expect(table.rows[1]).toEqual(['Tuesday, 7 April 2026', '$2.00', '$0.25', '$2.25'])
    expect(file.head).toEqual(['From (UTC)', 'Until (UTC)', 'USDC (USD)', 'ETH (USD)', 'Total (USD)'])
    expect(file.rows[1]).toEqual(['2026-04-07T00:00:00Z', '2026-04-08T00:00:00Z', '2', '0.25', '2.25'])
  })

  it('has the sums of the period before', () => {
    const span = {
      from: at('2026-04-04T00:00:00Z'),
      until: at('2026-04-06T00:00:00Z'),
      timezone: 'UTC',
      bucket: 'day' as const,
    }
    const compared = graph([{ ...MONDAY, USDC: '1' }], {
      previous: { data: [{ ...MONDAY, USDC: '1', BTC: '3' } as object] as Bars['data'], span },
    })
    expect(barChart(compared, 'currency_code').before).toEqual([4_000_000n])
  })
})

describe('what is behind a bar', () => {
  it.each([
    ['a day', '2026-04-06T00:00:00Z', '2026-04-07T00:00:00Z', 'UTC', '2026-04-06'],
    ['a week', '2026-04-06T00:00:00Z', '2026-04-13T00:00:00Z', 'UTC', '2026-04-06..2026-04-12'],
    ['an hour', '2026-04-06T05:00:00Z', '2026-04-06T06:00:00Z', 'UTC', '2026-04-06T05:00:00Z..2026-04-06T05:59:59Z'],
    ['a day of 45 minutes past', '2026-04-05T18:15:00Z', '2026-04-06T18:15:00Z', 'Asia/Kathmandu', '2026-04-06'],
    ['a day of 23 hours', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 'Europe/Berlin', '2026-03-29'],
    ['a day of 25 hours', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 'Europe/Berlin', '2026-10-25'],
    ['29 February', '2028-02-29T00:00:00Z', '2028-03-01T00:00:00Z', 'UTC', '2028-02-29'],
  ])('%s', (_what, from, until, zone, address) => {
    chooseZone(zone)
    expect(paidWithin({ from: at(from), until: at(until) })).toBe(address)
  })

  it('is what was counted of it: the first bucket begins with the span, the last still fills', () => {
    const week = { from: at('2026-03-30T00:00:00Z'), until: at('2026-04-06T00:00:00Z') }
    const span = {
      from: at('2026-04-02T00:00:00Z'),
      until: at('2026-04-04T00:00:00Z'),
      timezone: 'UTC',
      bucket: 'week' as const,
    }
    expect(countedOf(week, { span, asOf: at('2026-05-01T00:00:00Z') })).toEqual({ from: span.from, until: span.until })
    expect(countedOf(week, { span, asOf: at('2026-04-03T12:00:00Z') })).toEqual({ from: span.from, until: week.until })
    expect(countedOf(week, { span: null, asOf: week.until })).toEqual(week)
  })
})

describe('the filters of the page', () => {
  const listed = new Set([1, 2] as const)

  it.each([
    [{}, { span: DEFAULT_SPAN, asset: undefined, isComparing: false }],
    [
      { date: 'yesterday', asset: 'USDC', compare: 'previous' },
      { span: 'yesterday', asset: 'USDC', isComparing: true },
    ],
    [
      { date: 'forever', compare: 'previous' },
      { span: 'forever', asset: undefined, isComparing: false },
    ],
    [
      { date: 'sometime', asset: 'us dc', compare: 'x' },
      { span: DEFAULT_SPAN, asset: undefined, isComparing: false },
    ],
    [{ date: '2026-02-30..2026-03-01' }, { span: DEFAULT_SPAN, asset: undefined, isComparing: false }],
    [{ date: '2026-03-02..2026-03-01' }, { span: DEFAULT_SPAN, asset: undefined, isComparing: false }],
    [{ date: '2019-03-02..2026-03-01' }, { span: DEFAULT_SPAN, asset: undefined, isComparing: false }],
    [{ date: '2026-02-28..2026-03-01' }, { span: '2026-02-28..2026-03-01', asset: undefined, isComparing: false }],
  ])('are read of %o', (search, wanted) => {
    expect(filterOf(search)).toEqual(wanted)
  })

  it('are sent to graphs that list them, with the zone in which their days begin', () => {
    chooseZone('Asia/Kathmandu')
    const filter = filterOf({ date: '2026-02-28..2026-03-01', asset: 'USDC', compare: 'previous' })
    expect(graphFilters(filter, listed, 'blockchain_code')).toEqual({
      analytics_date_filter: 'custom',
      custom_start_date: '2026-02-28T00:00:00',
      custom_end_date: '2026-03-01T23:59:59',
      timezone: 'Asia/Kathmandu',
      currency_codes: ['USDC'],
      group_by_network_currency_filter: 'blockchain_code',
      compare: 'previous',
    })
    // Also where a graph has its own span: the days of "the last 30" begin where those of the list of payments do.
    expect(graphFilters(filter, new Set(), 'blockchain_code')).toEqual({ timezone: 'Asia/Kathmandu' })
  })
})

describe('lengths of time', () => {
  it.each([
    [1, '1 s'],
    [131, '2 min 11 s'],
    [3600, '1 h'],
    [90_000, '1 d 1 h'],
  ])('%d s', (seconds, text) => expect(durationText(seconds)).toBe(text))
})
