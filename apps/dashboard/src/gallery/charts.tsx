import { ChartFigure } from '../ui/charts/ChartFigure.tsx'
import { ChartTable } from '../ui/charts/ChartTable.tsx'
import { ShareBar } from '../ui/charts/ShareBar.tsx'
import { Sparkline } from '../ui/charts/Sparkline.tsx'
import { TimeChart } from '../ui/charts/TimeChart.tsx'
import { type ChartPoint, type ChartSeries, type Measure, topSeries } from '../ui/charts/rules/series.ts'
import type { Part } from './specimen.ts'

const DOLLARS: Measure = { text: (units) => `$${units}.00`, tick: (units) => `$${units}` }

const days = (count: number): readonly ChartPoint[] =>
  Array.from({ length: count }, (_, index) => ({
    key: String(index),
    label: `Day ${index + 1}`,
    name: `Day ${index + 1} of November`,
    isCurrent: index === count - 1,
  }))

/** The same waves each time. */
const wave = (count: number, height: number, phase: number): readonly bigint[] =>
  Array.from({ length: count }, (_, index) => BigInt(Math.round(height * (1.2 + Math.sin(index / 2 + phase)))))

const series = (count: number, names: readonly string[]): readonly ChartSeries[] =>
  names.map((name, place) => ({ key: name, name, values: wave(count, 90 / (place + 1), place) }))

const CURRENCIES = Array.from({ length: 20 }, (_, place) => `C${place + 1}`)
const lead = () => '#payments'

const chart = (count: number, names: readonly string[]) => ({
  name: 'Payments',
  points: days(count),
  series: topSeries(series(count, names), 'Other'),
  measure: DOLLARS,
})

export const CHARTS: readonly Part[] = [
  {
    name: 'TimeChart',
    wide: true,
    specimens: [
      { state: 'one series', shown: <TimeChart {...chart(14, ['USDC'])} hrefOf={lead} hrefName="Press to see them" /> },
      { state: 'stacked, three series', shown: <TimeChart {...chart(30, ['USDC', 'ETH', 'BTC'])} /> },
      { state: 'twenty currencies: six and all others', shown: <TimeChart {...chart(12, CURRENCIES)} /> },
      {
        state: 'with the period before',
        shown: <TimeChart {...chart(14, ['USDC', 'ETH'])} before={wave(14, 160, 2)} />,
      },
      { state: 'five years of months: lines', shown: <TimeChart {...chart(60, ['USDC', 'ETH'])} /> },
      { state: 'one bucket', shown: <TimeChart {...chart(1, ['USDC'])} /> },
      {
        state: 'nothing',
        shown: <TimeChart name="Payments" points={days(14)} series={[]} measure={DOLLARS} empty="No payments." />,
      },
    ],
  },
  {
    name: 'ShareBar',
    specimens: [
      {
        state: 'parts of a whole, one hardly there',
        shown: (
          <ShareBar
            label="Assets"
            parts={[
              { key: 'USDC', name: 'USDC', note: 'Base', units: 900n, text: '$900.00', share: '89.9%', href: '#usdc' },
              { key: 'ETH', name: 'ETH', color: '#627EEA', units: 100n, text: '$100.00', share: '9.9%' },
              { key: 'BTC', name: 'BTC', color: '#F7931A', units: 1n, text: '$1.00', share: '<0.1%' },
            ]}
          />
        ),
      },
    ],
  },
  {
    name: 'Sparkline',
    specimens: [
      { state: 'a month', shown: <Sparkline values={wave(30, 100, 0)} /> },
      { state: 'nothing yet', shown: <Sparkline values={[0n, 0n, 0n]} /> },
    ],
  },
  {
    name: 'ChartFigure',
    wide: true,
    specimens: [
      {
        state: 'a name, a sentence, a foot',
        shown: (
          <ChartFigure
            name="Paid in November"
            summary="$4,210.00 in total, highest Day 5: $190.00"
            foot="as of 05:10:44"
          >
            <TimeChart {...chart(20, ['USDC'])} name="Paid in November" />
          </ChartFigure>
        ),
      },
    ],
  },
  {
    name: 'ChartTable',
    specimens: [
      {
        state: 'what a chart shows',
        shown: (
          <ChartTable
            caption="Paid in November, as table"
            table={{
              head: ['Time', 'USDC'],
              rows: [
                ['1 November', '$12.00'],
                ['2 November', '$7.50'],
              ],
            }}
          />
        ),
      },
    ],
  },
]
