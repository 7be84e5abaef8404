import type { TickerRow } from '@kassa/contract/prices/schemas.ts'
import { plural } from '@lingui/core/macro'

import { listText } from '../../../lib/text/list-text.ts'

/** One currency with its price; the same on every network it is on. */
export type PriceRow = {
  readonly code: string
  readonly price: string | null
  /** The oldest of its networks. */
  readonly updatedAt: Date
  readonly isStale: boolean
}

/** Returns one row per currency, those without a fresh price first. */
export function priceRows(ticker: readonly TickerRow[]): PriceRow[] {
  const rows = [...Map.groupBy(ticker, ({ currencyCode }) => currencyCode)].map(([code, own]) => ({
    code,
    price: own.find(({ price }) => price !== null)?.price ?? null,
    updatedAt: own.map(({ updatedAt }) => updatedAt).reduce((oldest, at) => (at < oldest ? at : oldest)),
    isStale: own.some(({ stale, price }) => stale || price === null),
  }))
  return rows.toSorted((a, b) => Number(b.isStale) - Number(a.isStale))
}

/** Returns what currencies without a fresh price mean for customers; absent when every price is fresh. */
export function stalePricesText(rows: readonly PriceRow[]): string | undefined {
  const codes = rows.filter(({ isStale }) => isStale).map(({ code }) => code)
  if (codes.length === 0) return undefined
  const names = listText(codes, 'conjunction')
  const currencies = codes.length
  return plural(currencies, {
    one: `No fresh price for ${names}. Customers cannot choose it until one comes; nothing is guessed.`,
    other: `No fresh price for ${names}. Customers cannot choose them until one comes; nothing is guessed.`,
  })
}
