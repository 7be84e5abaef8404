import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Spoilt } from '../../testing/services/fake-exchanges.ts'
import { type ExchangeShop, openExchange } from '../../testing/services/exchange.ts'

let market: ExchangeShop

beforeAll(async () => {
  market = await openExchange()
})
afterAll(async () => {
  await market.close()
})
beforeEach(async () => {
  await market.reset()
})

const down: Spoilt = () => ({ status: 503, body: 'Service Unavailable' })

/** Every broken feed of money.md 3.3: told by two sources while the others are down, none makes a quote. */
const FEEDS: readonly [string, Spoilt, string][] = [
  ['zero', () => ({ price: '0' }), '0'],
  ['a negative number', ({ price }) => ({ price: `-${price}` }), '-3000'],
  ['not a number', () => ({ price: 'NaN' }), 'NaN'],
  ['an overflowing exponent', () => ({ price: '1e400' }), '1e400'],
  ['nothing', () => ({ price: '' }), ''],
  ['a swapped pair', () => ({ price: '0.000333' }), '0.000333'],
  ['a thousandfold price', ({ price }) => ({ price: `${price}000` }), '3000000'],
  ['a stuck clock', ({ now }) => ({ now: new Date(now.getTime() - 62_000) }), '3000'],
  ['a clock that runs ahead', ({ now }) => ({ now: new Date(now.getTime() + 62_000) }), '3000'],
  ['a coin under another’s old name', () => ({ price: '0.42' }), '0.42'],
  ['a page', () => ({ status: 200, body: '<html><body>503</body></html>' }), 'the answer is not JSON'],
  ['half an answer', () => ({ status: 200, body: '{"error":[],"result":{"XETHZ' }), 'the answer is not JSON'],
  ['another form', () => ({ status: 200, body: '{"error":["EQuery:Unknown asset pair"]}' }), 'the answer has no'],
  [
    'an endless answer',
    () => ({ status: 200, body: `{"price":"3000","x":"${'x'.repeat(300_000)}"}` }),
    'the answer is not JSON',
  ],
  ['a redirect', () => ({ status: 302, headers: { location: 'https://example.com/' } }), 'it answered 302'],
  ['no permission', () => ({ status: 451 }), 'it answered 451'],
  ['silence', () => 'silence', 'timeout'],
]

describe('prices.poll with a broken feed', () => {
  const ofEth =
    (spoilt: Spoilt): Spoilt =>
    (question) =>
      question.currencyCode === 'ETH' ? spoilt(question) : {}

  it.each(FEEDS)('makes no quote of %s', async (_name, spoilt, said) => {
    await market.poll()
    market.internet.spoil(['Kraken', 'Coinbase'], ofEth(spoilt))
    market.internet.spoil(['Bitstamp', 'Binance', 'CoinGecko'], ofEth(down))
    await market.poll({ after: 61_000 })
    expect((await market.reported('ETH')).get('Kraken')).toContain(said)
    expect(await market.ticker()).toMatchObject({ price: null, stale: true })
    const { status, refusal } = await market.pin(await market.newLink(), 'ETH')
    expect([status, refusal?.code]).toEqual([503, 'RATE_UNAVAILABLE'])
    expect(await market.priceOf('ETH:USDC')).toBe('1')
  })

  it.each(FEEDS)('prices on without the one source that tells %s', async (_name, spoilt) => {
    await market.poll()
    market.internet.spoil(['Kraken'], ofEth(spoilt))
    await market.poll({ after: 61_000 })
    expect(await market.priceOf()).toBe('3000')
    const quote = (await market.pin(await market.newLink(), 'ETH')).body.quote
    expect(quote).toMatchObject({ amount: '0.01', sources: ['Binance', 'Bitstamp', 'Coinbase'] })
  })

  it('stores untrusted text as it can be stored', async () => {
    market.internet.spoil(
      ['Kraken'],
      ofEth(() => ({ price: `3\u0000${'é'.repeat(500)}` })),
    )
    await market.poll()
    expect((await market.reported('ETH')).get('Kraken')).toMatch(/^3\?{60}$/)
    expect(await market.priceOf()).toBe('3000')
  })
})
