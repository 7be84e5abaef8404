import { CURRENCIES } from '@kassa/primitives/chains/currencies.ts'
import { describe, expect, it } from 'vitest'

import { SOURCES } from './all-sources.ts'
import { epochTime, headerTime, isoTime, readJson, textAt } from './answer.ts'
import { binance } from './binance.ts'
import { bitstamp } from './bitstamp.ts'
import { coinbase } from './coinbase.ts'
import { coingecko } from './coingecko.ts'
import { kraken } from './kraken.ts'
import type { Source } from './source.ts'

const at = new Date('2026-01-31T09:30:00.000Z')
const DATE = 'Sat, 31 Jan 2026 09:30:00 GMT'

function read(source: Source, symbol: string, text: string, date?: string) {
  return source.read({ body: readJson(text), date }, symbol)
}

/** Answers as the documentation of each source shows them. */
const ANSWERS: readonly [Source, string, string, string][] = [
  [
    kraken,
    'XETHZUSD',
    '{"error":[],"result":{"XETHZUSD":{"a":["3000.20000","1","1.000"],"b":["3000.10000","2","2.000"],"c":["3000.12000","0.50000000"],"v":["1.0","2.0"],"t":[34,80]}}}',
    '3000.12000',
  ],
  [
    coinbase,
    'ETH-USD',
    '{"ask":"3000.20","bid":"3000.10","volume":"123.4","trade_id":86326522,"price":"3000.12","size":"0.0069","time":"2026-01-31T09:30:00.000000Z","rfq_volume":"0.1"}',
    '3000.12',
  ],
  [
    bitstamp,
    'ethusd',
    '{"timestamp":"1769851800","open":"2990","high":"3010","low":"2980","last":"3000.12","volume":"213.2","vwap":"2995","bid":"3000","ask":"3001","side":"0","open_24":"2990","percent_change_24":"0.3"}',
    '3000.12',
  ],
  [
    binance,
    'ETHUSDT',
    '{"symbol":"ETHUSDT","openPrice":"2990.0","highPrice":"3010.0","lowPrice":"2980.0","lastPrice":"3000.12000000","volume":"8913.3","quoteVolume":"15.3","openTime":1769765400000,"closeTime":1769851800000,"firstId":28385,"lastId":28460,"count":76}',
    '3000.12000000',
  ],
  [
    coingecko,
    'ethereum',
    '{"ethereum":{"usd":3000.123456789012345678901,"last_updated_at":1769851800}}',
    '3000.123456789012345678901',
  ],
]

const answerOf = (source: Source) => ANSWERS.find(([one]) => one === source)?.[2] ?? ''

describe('prices.sources', () => {
  it.each(ANSWERS)('reads an answer without converting its number: $name', (source, symbol, answer, price) => {
    expect(read(source, symbol, answer, DATE)).toEqual({ price, at })
  })

  it.each(ANSWERS)('refuses an answer about something else, or none at all: $name', (source, symbol, answer) => {
    const others = ['{}', '[]', 'null', '"3000"', '3000', answer.replaceAll(/"(last|price|c|lastPrice|usd)":/g, '"x":')]
    for (const other of others) expect(() => read(source, symbol, other, DATE)).toThrow('the answer has no')
    for (const broken of ['', '<html></html>', answer.slice(0, -9)]) {
      expect(() => read(source, symbol, broken, DATE)).toThrow('the answer is not JSON')
    }
  })

  it('refuses an answer that speaks of another pair', () => {
    expect(() => read(kraken, 'XXBTZUSD', answerOf(kraken), DATE)).toThrow('result.XXBTZUSD')
    expect(() => read(binance, 'BTCUSDT', answerOf(binance))).toThrow('not about BTCUSDT')
    expect(() => read(coingecko, 'bitcoin', answerOf(coingecko))).toThrow('bitcoin.usd')
    expect(() => read(kraken, 'POLUSD', '{"error":["EQuery:Unknown asset pair"]}', DATE)).toThrow('result.POLUSD')
  })

  it('refuses an answer without a plausible time', () => {
    const answer = '{"error":[],"result":{"SOLUSD":{"c":["150.1","1"]}}}'
    for (const date of [undefined, '', 'yesterday']) {
      expect(() => read(kraken, 'SOLUSD', answer, date)).toThrow('no plausible time')
    }
    for (const text of ['', '-1', '1e12', '0', '17698518', '99999999999999', 'now']) {
      expect(() => epochTime(text, 'seconds')).toThrow('no plausible time')
    }
    for (const text of ['', '2026-01-31', '2026-01-31T09:30:00', '2026-99-31T09:30:00Z', '0001-01-01T00:00:00Z']) {
      expect(() => isoTime(text)).toThrow('no plausible time')
    }
    expect(headerTime(DATE)).toEqual(at)
  })

  it('leaves numbers as they were sent, and reads nothing that is inherited', () => {
    expect(readJson('{"a":[1e400,-0.10,1.10],"b":true}')).toEqual({ a: ['1e400', '-0.10', '1.10'], b: true })
    expect(() => textAt(readJson('{}'), 'constructor', 'name')).toThrow('no constructor')
    expect(() => textAt(readJson('{"__proto__":{"price":"1"}}'), 'price')).toThrow('no price')
    expect(() => textAt(readJson('{"price":null}'), 'price')).toThrow('no text')
  })

  it('have two for every currency, so that no price is the word of one', () => {
    for (const { code } of CURRENCIES) {
      const names = SOURCES.filter(({ symbols }) => symbols[code] !== undefined).map(({ name }) => name)
      expect([code, names.length >= 2]).toEqual([code, true])
    }
  })

  it('asks over https at hosts of their own', () => {
    for (const { origin, symbols, path } of SOURCES) {
      for (const symbol of Object.values(symbols)) {
        const url = new URL(origin + path(symbol))
        expect([url.protocol, url.origin, url.username]).toEqual(['https:', origin, ''])
      }
    }
    expect(new Set(SOURCES.map(({ origin }) => origin)).size).toBe(5)
  })
})
