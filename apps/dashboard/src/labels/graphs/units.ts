import { bidiIsolated } from '../../lib/text/bidi.ts'
import { usd } from '../../lib/text/format.ts'
import { compactFormat, countFormat } from '../../lib/text/locale-format.ts'
import type { Measure } from '../../ui/charts/rules/series.ts'

/** What the figures of a graph are, and with how many decimals they come. */
export type Figures = Measure & { readonly decimals: number; readonly unit: string }

/** Returns a decimal of the server as whole units, cut; figures of any size. */
export function unitsOf(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return text.startsWith('-') ? -units : units
}

/** Returns whole units as a decimal, without needless zeros. */
export function decimalOf(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = digits.slice(point).replace(/0+$/, '')
  return (units < 0n ? '-' : '') + digits.slice(0, point) + (fraction === '' ? '' : `.${fraction}`)
}

/** As many decimals as a millionth of a dollar has: what the server counts. */
const USD_DECIMALS = 6

const compactDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumSignificantDigits: 3,
})

/** US dollars in millionths. */
export const DOLLARS: Figures = {
  decimals: USD_DECIMALS,
  unit: 'USD',
  text: (units) => usd(decimalOf(units, USD_DECIMALS)),
  // Intl reads decimal text exactly; the cast tells TypeScript what the standard allows.
  tick: (units) => bidiIsolated(compactDollars.format(decimalOf(units, USD_DECIMALS) as `${number}`)),
}

/** Things that are counted. */
export const COUNTS: Figures = {
  decimals: 0,
  unit: '',
  text: (units) => countFormat().format(units),
  tick: (units) => compactFormat().format(units),
}
