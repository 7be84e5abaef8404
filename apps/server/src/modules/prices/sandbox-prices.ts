import type { CurrencyCode } from '@kassa/primitives/chains/currencies.ts'

import type { Reading } from './rules.ts'

/** Prices of test coins: round numbers, so that amounts can be checked in the head. */
export const SANDBOX_PRICES: Readonly<Record<CurrencyCode, string>> = {
  ETH: '3000',
  BTC: '60000',
  TRX: '0.25',
  POL: '0.5',
  SOL: '150',
  USDC: '1',
  USDT: '1',
  CBBTC: '60000',
}

/** What the sandbox's one source reports: its fixed table, unless a price was set. */
export function sandboxReading(currencyCode: CurrencyCode, stated: string | undefined, now: Date): Reading {
  return { name: 'sandbox', price: stated ?? SANDBOX_PRICES[currencyCode], at: now }
}
