import { epochTime, textAt } from './answer.ts'
import type { Source } from './source.ts'

const SYMBOLS = { BTC: 'btcusd', ETH: 'ethusd', SOL: 'solusd', USDC: 'usdcusd', USDT: 'usdtusd' } as const

/**
 * Bitstamp's last trade with the time of the ticker, in seconds.
 * Source: Bitstamp HTTP API v2, Get currency pair ticker.
 */
export const bitstamp: Source = {
  name: 'Bitstamp',
  origin: 'https://www.bitstamp.net',
  symbols: SYMBOLS,
  path: (symbol) => `/api/v2/ticker/${symbol}/`,
  read: ({ body }) => ({ price: textAt(body, 'last'), at: epochTime(textAt(body, 'timestamp'), 'seconds') }),
}
