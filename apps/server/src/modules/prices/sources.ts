import type { CurrencyCode } from '@kassa/primitives/chains/currencies.ts'

import type { Context } from '../../context.ts'
import type { Reading } from './rules.ts'
import { findSandboxPrice } from './store.ts'

/** A place that says what a currency costs in US dollars; null when it has no answer. */
export type PriceSource = (ctx: Context, currencyCode: string) => Promise<Reading | null>

/** What test coins cost. Round numbers, so that amounts can be checked in the head. */
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

/** The sandbox's own source: a fixed table, unless it was told what to say. */
export const sandboxSource: PriceSource = async (ctx, currencyCode) => {
  const price = (await findSandboxPrice(ctx, currencyCode)) ?? nominalPrice(currencyCode)
  return price === null ? null : { name: 'sandbox', price, at: ctx.now() }
}

/** The table's price of a currency, or null. */
export function nominalPrice(currencyCode: string): string | null {
  return SANDBOX_PRICES[currencyCode as CurrencyCode] ?? null
}
