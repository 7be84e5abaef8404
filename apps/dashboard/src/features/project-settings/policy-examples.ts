/** What each rule means for a payment of a hundred dollars. */
import { USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

import { usdExact } from '../../lib/format.ts'

const HUNDRED = parseUnits('100', USD_DECIMALS)

/** Returns what an underpayment tolerance lets through. */
export function underpaidExample(percent: string): string {
  const units = percentOfHundred(percent)
  if (units === undefined) return 'How much may be missing for a payment to count as paid.'
  return `With ${percent}% a payment of ${usdExact(formatUnits(HUNDRED - units, USD_DECIMALS))} counts for $100.00.`
}

/** Returns from where on a payment is overpaid. */
export function overpaidExample(percent: string): string {
  const units = percentOfHundred(percent)
  if (units === undefined) return 'How much may be too much for a payment to count as paid, not as overpaid.'
  return `With ${percent}% up to ${usdExact(formatUnits(HUNDRED + units, USD_DECIMALS))} for $100.00 is paid, more is overpaid.`
}

/** Returns what becomes of money after the end. */
export function graceExample(hours: string): string {
  if (hours === '0') return 'Money after the end never counts by itself. It is kept for the customer.'
  if (!/^\d+$/.test(hours)) return 'For how long money after the end still counts.'
  return `Money up to ${hours === '1' ? '1 hour' : `${hours} hours`} after the end still counts. Later money is kept for the customer.`
}

/** The percent of a hundred dollars is as many dollars. */
function percentOfHundred(percent: string): bigint | undefined {
  return /^\d{1,2}(\.\d{1,6})?$/.test(percent) ? parseUnits(percent, USD_DECIMALS) : undefined
}
