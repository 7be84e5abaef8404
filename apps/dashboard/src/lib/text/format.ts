import { bidiIsolated } from './bidi.ts'
import { countFormat } from './locale-format.ts'

/** Joins a number and its unit so that a line never breaks between them. */
const NO_BREAK_SPACE = '\u00a0'
const THIN_SPACE = '\u2009'

/** A list shows at most so many decimals of an asset amount, so that columns stay narrow; hover, focus and copy give all of them. */
const LIST_DECIMALS = 6

/** So many decimals are read in one piece; groups would make two numbers of them. */
const UNGROUPED_DECIMALS = 8

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', roundingMode: 'trunc' })

/** US dollars are digits to a millionth. */
const allDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 })

/** Returns US dollars in en-US, cut to the cent, never rounded up; a positive amount below a cent reads "<$0.01". */
export function usd(amount: string): string {
  if (/^0*(\.0*)?$/.test(amount)) return bidiIsolated(dollars.format(0))
  if (/^0*\.00\d*[1-9]/.test(amount)) return bidiIsolated('<$0.01')
  // Intl reads decimal text exactly, digit by digit; the cast tells TypeScript what the standard allows.
  return bidiIsolated(dollars.format(amount as `${number}`))
}

/** Returns US dollars with every digit asked for: for what a customer is to pay. */
export function usdExact(amount: string): string {
  return bidiIsolated(allDollars.format(amount as `${number}`))
}

/** Returns an amount cut (never rounded) to `decimals`, without trailing zeros and with grouped thousands. */
export function truncateAmount(amount: string, decimals = LIST_DECIMALS): string {
  const { sign, whole, fraction } = splitAmount(amount)
  const digits = fraction.slice(0, decimals).replace(/0+$/, '')
  return sign + group(whole) + (digits === '' ? '' : `.${digits}`)
}

/** Returns an asset amount for a list: up to six decimals, cut, then the unit. */
export function assetAmount(amount: string, unit: string): string {
  return bidiIsolated(`${truncateAmount(amount)}${NO_BREAK_SPACE}${unit}`)
}

/** Returns every digit of an asset amount, long decimals in groups of three: for where money is decided. */
export function fullAmount(amount: string, unit: string): string {
  const { sign, whole, fraction } = splitAmount(amount)
  const isLong = fraction.length > UNGROUPED_DECIMALS
  const grouped = isLong ? fraction.replace(/(\d{3})(?=\d)/g, `$1${THIN_SPACE}`) : fraction
  return bidiIsolated(`${sign}${group(whole)}${fraction === '' ? '' : `.${grouped}`}${NO_BREAK_SPACE}${unit}`)
}

/** Returns a grouped whole number. */
export function count(value: number): string {
  return countFormat().format(value)
}

/** Returns an address with `ends` characters at each end and an ellipsis between; short text comes back whole. */
export function shortAddress(address: string, ends = 4): string {
  return address.length <= ends * 2 + 1 ? address : `${address.slice(0, ends)}…${address.slice(-ends)}`
}

/** Returns a transaction's hash, 4 and 4 of what tells it from others: the 0x before every one of a family does not. */
export function shortHash(hash: string): string {
  return shortAddress(hash.replace(/^0x/, ''))
}

function splitAmount(amount: string): { sign: string; whole: string; fraction: string } {
  const negative = amount.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? amount.slice(1) : amount).split('.')
  return { sign: negative ? '-' : '', whole, fraction }
}

function group(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ',')
}
