import { t } from '@lingui/core/macro'
/** What each rule means for a payment of a hundred dollars. */
import { USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

import { usdExact } from '../../lib/format.ts'
import { networkName } from '../../lib/network-name.ts'
import { isDollars } from './policy-values.ts'
import type { RuleValues } from './policy-values.ts'

const HUNDRED = parseUnits('100', USD_DECIMALS)

const MINUTES_A_DAY = 1440

/** The hour at which the links of the examples are made. */
const MADE_AT = 14 * 60

/** Returns until when a link is open. */
export function lifetimeExample(minutes: string): string {
  if (!/^\d{1,5}$/.test(minutes)) return t`Between 5 minutes and a week (10,080).`
  const end = MADE_AT + Number(minutes)
  const days = Math.floor(end / MINUTES_A_DAY)
  return t`A link made at ${clock(MADE_AT)} is open until ${clock(end % MINUTES_A_DAY)}${later(days)}, unless it says otherwise.`
}

function later(days: number): string {
  if (days === 0) return ''
  return days === 1 ? ' the next day' : t`, ${days} days later`
}

/** Returns what a link may ask for. */
export function amountsExample(min: string, max: string): string {
  const from = isDollars(min) ? usdExact(min) : '$0.00'
  if (!isDollars(max)) return t`Links over ${from} or more can be made, however large.`
  return t`Links from ${from} to ${usdExact(max)} can be made. Any other amount is refused.`
}

/** Returns when money on a network counts; undefined while the rule is not complete. */
export function confirmationExample({ blockchainCode, upToUSD, confirmations, isFinalized }: RuleValues) {
  if (blockchainCode === '' || !isDollars(upToUSD)) return undefined
  const start = t`On ${networkName(blockchainCode)} a payment of ${usdExact(upToUSD)} counts`
  if (isFinalized) return t`${start} when the network calls it final.`
  if (!/^[1-9]\d*$/.test(confirmations)) return undefined
  return `${start} ${confirmations === '1' ? 'after 1 block' : t`after ${confirmations} blocks`}.`
}

function clock(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Returns what an underpayment tolerance lets through. */
export function underpaidExample(percent: string): string {
  const units = percentOfHundred(percent)
  if (units === undefined) return t`How much may be missing for a payment to count as paid.`
  return t`With ${percent}% a payment of ${usdExact(formatUnits(HUNDRED - units, USD_DECIMALS))} counts for $100.00.`
}

/** Returns from where on a payment is overpaid. */
export function overpaidExample(percent: string): string {
  const units = percentOfHundred(percent)
  if (units === undefined) return t`How much may be too much for a payment to count as paid, not as overpaid.`
  return t`With ${percent}% up to ${usdExact(formatUnits(HUNDRED + units, USD_DECIMALS))} for $100.00 is paid, more is overpaid.`
}

/** Returns what becomes of money after the end. */
export function graceExample(hours: string): string {
  if (hours === '0') return t`Money after the end never counts by itself. It is kept for the customer.`
  if (!/^\d+$/.test(hours)) return t`For how long money after the end still counts.`
  return t`Money up to ${hours === '1' ? '1 hour' : t`${hours} hours`} after the end still counts. Later money is kept for the customer.`
}

/** The percent of a hundred dollars is as many dollars. */
function percentOfHundred(percent: string): bigint | undefined {
  return /^\d{1,2}(\.\d{1,6})?$/.test(percent) ? parseUnits(percent, USD_DECIMALS) : undefined
}
