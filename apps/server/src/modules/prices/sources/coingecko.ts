import { epochTime, textAt } from './answer.ts'
import type { Source } from './source.ts'

const SYMBOLS = {
  BTC: 'bitcoin',
  ETH: 'ethereum',
  TRX: 'tron',
  POL: 'polygon-ecosystem-token',
  SOL: 'solana',
  USDC: 'usd-coin',
  USDT: 'tether',
  CBBTC: 'coinbase-wrapped-btc',
} as const

/**
 * CoinGecko's average over many markets, with the time it was made: a JSON number, read as text. Its public limit of calls
 * is low, so it is asked last and seldom. Source: CoinGecko public API v3, Coin price by ids.
 */
export const coingecko: Source = {
  name: 'CoinGecko',
  origin: 'https://api.coingecko.com',
  symbols: SYMBOLS,
  path: (symbol) => `/api/v3/simple/price?ids=${symbol}&vs_currencies=usd&include_last_updated_at=true&precision=full`,
  read: ({ body }, symbol) => ({
    price: textAt(body, symbol, 'usd'),
    at: epochTime(textAt(body, symbol, 'last_updated_at'), 'seconds'),
  }),
  isLastResort: true,
}
