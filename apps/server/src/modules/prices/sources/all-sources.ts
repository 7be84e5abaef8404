import { binance } from './binance.ts'
import { bitstamp } from './bitstamp.ts'
import { coinbase } from './coinbase.ts'
import { coingecko } from './coingecko.ts'
import { kraken } from './kraken.ts'
import type { Source } from './source.ts'

/** Every price source (money.md 3.3), the last-resort one at the end. */
export const SOURCES: readonly Source[] = [kraken, coinbase, bitstamp, binance, coingecko]
