import { epochTime, textAt } from './answer.ts'
import type { Source } from './source.ts'

const SYMBOLS = {
  BTC: 'BTCUSDT',
  ETH: 'ETHUSDT',
  TRX: 'TRXUSDT',
  POL: 'POLUSDT',
  SOL: 'SOLUSDT',
  USDC: 'USDCUSDT',
} as const

/**
 * Binance's last trade against USDT with the end of its 24-hour window, on the host that serves market data alone and
 * everywhere. Source: Binance Spot REST API, 24hr ticker price change statistics.
 */
export const binance: Source = {
  name: 'Binance',
  origin: 'https://data-api.binance.vision',
  symbols: SYMBOLS,
  path: (symbol) => `/api/v3/ticker/24hr?symbol=${symbol}&type=MINI`,
  read: ({ body }, symbol) => {
    if (textAt(body, 'symbol') !== symbol) throw new Error(`the answer is not about ${symbol}`)
    return { price: textAt(body, 'lastPrice'), at: epochTime(textAt(body, 'closeTime'), 'milliseconds') }
  },
  isInTether: true,
}
