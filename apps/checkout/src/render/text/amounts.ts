import { dueUnits, PRICE_DECIMALS, USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'

/** Drops the zeros a number does not need: "49.000000" is "49". */
export function trimZeros(dec: string): string {
  return dec.includes('.') ? dec.replace(/\.?0+$/, '') : dec
}

/** Prints US dollars the one way Kassa does (screens.md 1.8): en-US, exact, and never "$0.00" for something. */
export function usd(dec: string): string {
  if (Number(dec) > 0 && Number(dec) < 0.01) return '<$0.01'
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: USD_DECIMALS,
  }).format(dec as `${number}`)
}

/** Prints a price in US dollars with up to 8 decimals, so that a cheap token's price is not rounded away. */
export function price(dec: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 8 }).format(
    dec as `${number}`,
  )
}

/** So many decimals are read in one piece; groups would make two numbers of them. */
const UNGROUPED = 8

/** Draws every digit, long decimals in groups of three. The gaps are drawn, not typed: selecting by hand gives the digits alone. */
export function digits(dec: string): Html {
  const [whole = '', fraction = ''] = trimZeros(dec).split('.')
  const groups = whole.length > 4 ? (whole.match(/\d{1,3}(?=(\d{3})*$)/g) ?? []) : [whole]
  const decimals = (fraction.length > UNGROUPED ? fraction.match(/\d{1,3}/g) : null) ?? [fraction]
  return html`${spaced(groups)}${fraction !== '' && '.'}${spaced(decimals)}`
}

/** Draws an amount with its unit, every digit shown; dollars as they are everywhere else. */
export function amount(dec: string, symbol: string): Html {
  return html`<bdi dir="ltr" class="nw">${symbol === 'USD' ? usd(dec) : html`${digits(dec)} ${symbol}`}</bdi>`
}

/** Prints an amount as `amount` draws it, where only text is possible. */
export function amountText(dec: string, symbol: string): string {
  return symbol === 'USD' ? usd(dec) : `${trimZeros(dec)} ${symbol}`
}

/** Estimates what an option costs at a price, as exact as a quote would be; null without a usable price. */
export function estimate(amountInUSD: string, priceInUSD: string | null | undefined, decimals: number): string | null {
  if (priceInUSD === null || priceInUSD === undefined) return null
  try {
    const units = dueUnits({
      usd: parseUnits(amountInUSD, USD_DECIMALS),
      price: parseUnits(priceInUSD, PRICE_DECIMALS),
      decimals,
    })
    return formatUnits(units, decimals)
  } catch {
    return null
  }
}

function spaced(groups: readonly string[]): Html[] {
  return groups.map((group, index) => (index === 0 ? html`${group}` : html`<span class="gap">${group}</span>`))
}
