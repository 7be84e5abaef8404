/** Figures of a busy shop, and of others, in place of those of a server whose shop is an hour old. */
import type { Changes } from '../answers.ts'
import { API, type Row } from '../answers.ts'

/** The address under which a graph is read. */
export const graphUrl = (id: number) => `${API}/external-platform/*/analytics/groups/*/graph/${id}/data*`

const DAY_MS = 86_400_000

/** As the address of the call names it. */
const SPAN_DAYS = 30

type Answer = Row & { readonly asOf: string; readonly span: Row | null }

const COLOURS: Readonly<Record<string, string>> = {
  USDC: '#227fd2',
  USDT: '#88bf4d',
  ETH: '#627EEA',
  BTC: '#F7931A',
  POL: '#8247E5',
  New: '#84cc16',
  Recurring: '#3b82f6',
}

/** Shares of a day by series, in thousandths. */
const SHARES: Readonly<Record<string, number>> = { USDC: 520, USDT: 240, ETH: 140, BTC: 80, POL: 20 }

/** A wave with a week in it, the same each time. */
function weight(day: number): number {
  const wave = 0.65 + 0.35 * Math.sin(day / 4.2) + 0.12 * Math.sin(day * 1.9)
  return Math.max(0.05, wave * (day % 7 > 4 ? 0.55 : 1))
}

const NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Bars up to the day of the answer, `most` at the highest, whole where things are counted. */
function bars(
  { asOf }: Answer,
  series: Readonly<Record<string, number>>,
  most: number,
  isCount: boolean,
  days = SPAN_DAYS,
) {
  const today = Math.floor(Date.parse(asOf) / DAY_MS) * DAY_MS
  return Array.from({ length: days }, (_, index): Row => {
    const at = new Date(today - (days - 1 - index) * DAY_MS)
    const total = most * weight(index) * (index === days - 1 ? 0.4 : 1)
    const parts = Object.entries(series).flatMap(([name, share], place): [string, string][] => {
      const value = (total * share * (1 + 0.3 * Math.sin(index * (place + 1)))) / 1000
      return [
        [name, isCount ? String(Math.round(value)) : value.toFixed(2)],
        [`${name}Color`, COLOURS[name] ?? '#888888'],
      ]
    })
    return {
      Timestamp: `${MONTHS[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2, '0')}`,
      Extras: NAMES[at.getUTCDay()],
      at: at.toISOString(),
      until: new Date(at.getTime() + DAY_MS).toISOString(),
      ...Object.fromEntries(parts),
    }
  })
}

const number =
  (label: string, text: string, subtext = '') =>
  (answer: Answer) => ({
    ...answer,
    data: [{ label, text, subtext, value: text.replaceAll(/[^\d.]/g, '') || '0' }],
  })

const CUSTOMERS = { New: 380, Recurring: 620 }

/** What a busy shop sees, whatever was paid to it. */
export const BUSY: Changes = {
  [graphUrl(1)]: number('Total payments', '$1,204,330.12'),
  [graphUrl(2)]: number('Payments in last 30 days', '$84,112.40', '+12.4%'),
  [graphUrl(3)]: number('Total paying users', '4,210'),
  [graphUrl(4)]: number('Paying Users in last 30 days', '512', '-3.1%'),
  [graphUrl(5)]: number('Total users requested payments', '6,004'),
  [graphUrl(6)]: number('User attempted in last 30 days', '790', '+4%'),
  [graphUrl(7)]: withBefore((answer) => bars(answer, SHARES, 4_600, false)),
  [graphUrl(8)]: withBefore((answer) => bars(answer, SHARES, 90, true)),
  [graphUrl(9)]: (answer: Answer) => ({
    ...answer,
    data: Object.entries(SHARES).map(([id, share]) => ({
      id,
      label: id,
      value: (84_112.4 * (share / 1000)).toFixed(2),
      color: COLOURS[id],
      icon: '',
      display: `$${Math.round(84_112.4 * (share / 1000))}`,
      description: `${share / 10}%`,
    })),
  }),
  [graphUrl(10)]: withBefore((answer) => bars(answer, CUSTOMERS, 48, true)),
  [graphUrl(11)]: (answer: Answer) => ({
    ...answer,
    data: [
      { label: 'New', value: '196', description: 'Paid for the first time' },
      { label: 'Recurring', value: '316', description: 'Paid before' },
      { label: 'Total', value: '512', description: 'Customers who paid' },
    ],
  }),
  [graphUrl(13)]: number('Conversion', '81.3%', '2.1% still open'),
  [graphUrl(14)]: (answer: Answer) => ({
    ...answer,
    data: [
      { label: 'BASE', value: 'about 42 s', description: '', medianSeconds: 42, p95Seconds: 131, count: 640 },
      { label: 'ETH', value: 'about 15 min', description: '', medianSeconds: 905, p95Seconds: 1_460, count: 130 },
    ],
  }),
  [graphUrl(15)]: number('Unswept value', '$21,870.00'),
}

function withBefore(dataOf: (answer: Answer) => readonly Row[]) {
  return (answer: Answer & { readonly previous?: Row | null }) => ({
    ...answer,
    data: dataOf(answer),
    previous: answer.previous && {
      ...answer.previous,
      data: dataOf({
        ...answer,
        asOf: new Date(Date.parse(answer.asOf) - SPAN_DAYS * DAY_MS).toISOString(),
      }).toReversed(),
    },
  })
}

/** Days without payments. */
export const NO_PAYMENTS: Changes = Object.fromEntries(
  [7, 8, 9, 10, 11].map((id) => [
    graphUrl(id),
    (answer: Answer & { readonly data: readonly Row[] }) => ({
      ...answer,
      data: id === 9 ? [] : answer.data.map((one) => ({ ...one, USDC: '0', New: '0', Recurring: '0', value: '0' })),
    }),
  ]),
)

/** An upgraded install that still counts its past. */
export const COUNTING: Changes = Object.fromEntries(
  Object.entries(BUSY).map(([url, change]) => [
    url,
    (answer: never) => ({ ...(change as (answer: never) => Row)(answer), countedPercent: 40 }),
  ]),
)
