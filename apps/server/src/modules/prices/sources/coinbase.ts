import { isoTime, textAt } from './answer.ts'
import type { Source } from './source.ts'

/** It sells USDC for dollars one to one, so it has no market that would price USDC. */
const SYMBOLS = {
  BTC: 'BTC-USD',
  ETH: 'ETH-USD',
  POL: 'POL-USD',
  SOL: 'SOL-USD',
  USDT: 'USDT-USD',
  CBBTC: 'CBBTC-USD',
} as const

/**
 * Coinbase Exchange's last trade and the trade's own time: a market without a trade for a minute has no price.
 * Source: Coinbase Exchange REST API, Get product ticker.
 */
export const coinbase: Source = {
  name: 'Coinbase',
  origin: 'https://api.exchange.coinbase.com',
  symbols: SYMBOLS,
  path: (symbol) => `/products/${symbol}/ticker`,
  read: ({ body }) => ({ price: textAt(body, 'price'), at: isoTime(textAt(body, 'time')) }),
}
