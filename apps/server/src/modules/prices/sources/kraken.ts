import { headerTime, textAt } from './answer.ts'
import type { Source } from './source.ts'

/** Names as Kraken answers with them; it takes them in questions as well. */
const SYMBOLS = {
  BTC: 'XXBTZUSD',
  ETH: 'XETHZUSD',
  TRX: 'TRXUSD',
  POL: 'POLUSD',
  SOL: 'SOLUSD',
  USDC: 'USDCUSD',
  USDT: 'USDTZUSD',
} as const

/**
 * Kraken's last trade (`c`). Its ticker has no time of its own: that of the HTTP answer is taken.
 * Source: Kraken Spot REST API, Get Ticker Information.
 */
export const kraken: Source = {
  name: 'Kraken',
  origin: 'https://api.kraken.com',
  symbols: SYMBOLS,
  path: (symbol) => `/0/public/Ticker?pair=${symbol}`,
  read: ({ body, date }, symbol) => ({ price: textAt(body, 'result', symbol, 'c', '0'), at: headerTime(date) }),
}
