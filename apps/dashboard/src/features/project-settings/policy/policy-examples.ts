/** What each rule means for a payment of a hundred dollars. */
import { USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'
import { plural, t } from '@lingui/core/macro'

import { usdExact } from '../../../lib/text/format.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { isDollars } from './policy-values.ts'
import type { RuleValues } from './policy-values.ts'

const HUNDRED = parseUnits('100', USD_DECIMALS)

const MINUTES_A_DAY = 1440

/** The hour at which the links of the examples are made. */
const MADE_AT = 14 * 60

/** Returns until when a link is open. */
export function lifetimeExample(minutes: string): string {
  if (!/^\d{1,5}$/.test(minutes)) return t`Between 5 minutes and a week (10,080).`
  const sum = MADE_AT + Number(minutes)
  const days = Math.floor(sum / MINUTES_A_DAY)
  const [start, end] = [clock(MADE_AT), clock(sum % MINUTES_A_DAY)]
  if (days === 0) return t`A link made at ${start} is open until ${end}, unless it says otherwise.`
  if (days === 1) return t`A link made at ${start} is open until ${end} the next day, unless it says otherwise.`
  return t`A link made at ${start} is open until ${end}, ${plural(days, { one: '# day', other: '# days' })} later, unless it says otherwise.`
}

/** Returns what a link may ask for. */
export function amountsExample(min: string, max: string): string {
  const hasLeast = isDollars(min) && Number(min) > 0
  if (!hasLeast && !isDollars(max)) return t`Links for any amount can be made.`
  const from = hasLeast ? usdExact(min) : '$0.00'
  if (!isDollars(max)) return t`Links for ${from} or more can be made. There is no upper limit.`
  const to = usdExact(max)
  return t`Links from ${from} to ${to} can be made. Any other amount is refused.`
}

/** Returns when money on a network counts; undefined while the rule is not complete. */
export function confirmationExample({ blockchainCode, upToUSD, confirmations, isFinalized }: RuleValues) {
  if (blockchainCode === '' || !isDollars(upToUSD)) return undefined
  const network = networkName(blockchainCode)
  const amount = usdExact(upToUSD)
  if (isFinalized) return t`On ${network} a payment of ${amount} counts when the network calls it final.`
  if (!/^[1-9]\d*$/.test(confirmations)) return undefined
  const blocks = Number(confirmations)
  return t`On ${network} a payment of ${amount} counts after ${plural(blocks, { one: '# block', other: '# blocks' })}.`
}

function clock(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Returns what an underpayment tolerance lets through. */
export function underpaidExample(percent: string): string {
  const units = percentOfHundred(percent)
  if (units === undefined) return t`How much may be missing for a payment to count as paid.`
  const least = usdExact(formatUnits(HUNDRED - units, USD_DECIMALS))
  return t`With ${percent}% a payment of ${least} counts for $100.00.`
}

/** Returns from where on a payment is overpaid. */
export function overpaidExample(percent: string): string {
  const units = percentOfHundred(percent)
  if (units === undefined) return t`How much may be too much for a payment to count as paid, not as overpaid.`
  const most = usdExact(formatUnits(HUNDRED + units, USD_DECIMALS))
  return t`With ${percent}% up to ${most} for $100.00 is paid, more is overpaid.`
}

/** Returns what becomes of money after the end. */
export function graceExample(typed: string): string {
  if (typed === '0') return t`Money after the end never counts by itself. It stays unmatched, for the customer.`
  if (!/^\d+$/.test(typed)) return t`For how long money after the end still counts.`
  const hours = Number(typed)
  return t`Money up to ${plural(hours, { one: '# hour', other: '# hours' })} after the end still counts. Later money stays unmatched, for the customer.`
}

/** The percent of a hundred dollars is as many dollars. */
function percentOfHundred(percent: string): bigint | undefined {
  return /^\d{1,2}(\.\d{1,6})?$/.test(percent) ? parseUnits(percent, USD_DECIMALS) : undefined
}
