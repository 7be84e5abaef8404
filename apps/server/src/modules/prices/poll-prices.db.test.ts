import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { pricesRoutes } from '@kassa/contract/prices/routes.ts'
import { median, PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem, type Context } from '../../context.ts'
import { createEgress, type GuardedEgress } from '../../egress/guarded.ts'
import { registry } from '../../http/metrics.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../testing/app.ts'
import {
  type Exchange,
  EXCHANGES,
  type FakeExchanges,
  fakeExchanges,
  type Spoilt,
} from '../../testing/fake-exchanges.ts'
import { paperChain, type PaperChain } from '../../testing/paper-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { ASSET } from '../../testing/till.ts'
import { openAlarms } from '../alarms/service.ts'
import { forgetOldPrices, pollPrices } from './poll-prices.ts'
import { currentPrice, priceAt } from './service.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const MINUTE = 60_000
const PRICES = { ETH: '3000', USDC: '1', USDT: '1', CBBTC: '60000' }
const ETH = { currencyCode: 'ETH', isStable: false }
const USUAL: readonly Exchange[] = ['Kraken', 'Coinbase', 'Bitstamp', 'Binance']

let app: TestApp
let shop: Shop
let internet: FakeExchanges
let way: GuardedEgress
let eth: PaperChain
let payers = 0

beforeAll(async () => {
  app = await testApp({ now: START, config: { network: 'testnet' } })
  // Nodes nobody asks: only the sandbox may be given them without a check.
  const config = { ...app.ctx.config, network: 'sandbox' as const }
  shop = await openShop({ ...app, ctx: { ...app.ctx, config } }, await app.signUp())
  eth = await paperChain(app.ctx, 1)
  internet = await fakeExchanges(app.clock)
  way = createEgress('sandbox')
})
afterAll(async () => {
  await way.close()
  await internet.close()
  await app.stop()
})
beforeEach(async () => {
  internet.spoil(EXCHANGES, null)
  for (const [code, price] of Object.entries(PRICES)) internet.prices.set(code, price)
  await sql`TRUNCATE price_readings, last_prices, price_history, alarms`.execute(app.ctx.db)
  internet.asked.length = 0
  pass(10 * MINUTE)
})

const pass = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
/** The way out of the test leads to the fakes; everything else is the program's own. */
const context = (): Context => ({ ...asSystem(app.ctx), egress: way })
async function poll({ after = 15_000, timeoutMs = 300 } = {}): Promise<void> {
  pass(after)
  await pollPrices(context(), { origins: internet.origins, spacingMs: 0, timeoutMs })
}

const ticker = async (asset = 'ETH:ETH') => {
  const { body } = await app.call(pricesRoutes.ticker)
  return body.find((row) => `${row.blockchainCode}:${row.currencyCode}` === asset)
}
const signIn = async () =>
  (await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })).body.key
const priceOf = async (asset?: string) => (await ticker(asset))?.price
async function newLink(): Promise<string> {
  payers += 1
  const body = { customerID: `payer-${payers}`, customerEmail: 'payer@example.com', amountInUSD: '30' }
  return (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
}
const pin = (ref: string, currency: string) =>
  app.call(paymentsRoutes.pinPayment, { params: { ref }, body: { blockchain_code: 'ETH', currency_code: currency } })
const why = async (code: string) => {
  const { rows } = await sql<{ source: string; failure: string | null; price: string }>`
    SELECT source, failure, price FROM price_readings WHERE currency_code = ${code}`.execute(app.ctx.db)
  return new Map(rows.map((row) => [row.source, row.failure ?? row.price]))
}
const alarms = async () => (await openAlarms(app.ctx)).map(({ kind, subject }) => `${kind} ${subject}`)
const askedFor = (exchange: Exchange) => internet.asked.filter((one) => one.exchange === exchange)

const down: Spoilt = () => ({ status: 503, body: 'Service Unavailable' })

describe('prices.poll', () => {
  it('prices what several sources agree on, and keeps the evidence with the quote', async () => {
    internet.spoil(['Kraken'], ({ currencyCode }) => (currencyCode === 'ETH' ? { price: '3010.5' } : {}))
    internet.spoil(['Bitstamp'], ({ currencyCode }) => (currencyCode === 'ETH' ? { price: '3400' } : {}))
    await poll()
    expect(await ticker()).toMatchObject({ price: '3000', stale: false, updatedAt: app.clock.now })
    expect(await priceOf('BASE:USDC')).toBe('1')

    const ref = await newLink()
    const { body } = await pin(ref, 'ETH')
    expect(body.quote).toMatchObject({ amount: '0.01', sources: ['Binance', 'Coinbase', 'Kraken'] })
    const { p } = shop
    const key = await signIn()
    const detail = await app.call(paymentsRoutes.getPayment, { params: { p, ref } }, { key })
    const evidence = detail.body.quotes[0]?.evidence ?? []
    expect(evidence.map(({ source, used, why: reason }) => [source, used, reason])).toEqual([
      ['Binance', true, null],
      ['Bitstamp', false, 'too far from the others'],
      ['Coinbase', true, null],
      ['Kraken', true, null],
    ])
    expect(evidence.every(({ at }) => Math.abs(at.getTime() - app.clock.now.getTime()) < 1000)).toBe(true)
    const used = evidence.filter((one) => one.used).map(({ price }) => parseUnits(price, PRICE_DECIMALS))
    expect(formatUnits(median(used), PRICE_DECIMALS)).toBe(body.quote?.priceInUSD)
  })

  it.each(USUAL)('does without %s', async (exchange) => {
    internet.spoil([exchange], down)
    await poll()
    expect([await priceOf('ETH:ETH'), await priceOf('ETH:USDC')]).toEqual(['3000', '1'])
    expect(await alarms()).toEqual([])
  })

  it('has no price when no source answers; locks stay valid and other assets go on', async () => {
    await poll()
    const ref = await newLink()
    const before = (await pin(ref, 'ETH')).body.quote
    const lastAt = app.clock.now
    internet.spoil(EXCHANGES, ({ currencyCode }) => (currencyCode === 'ETH' ? { status: 503 } : {}))
    await poll()
    expect(await priceOf()).toBe('3000')
    await poll({ after: 61_000 })
    expect(await ticker()).toMatchObject({ price: null, stale: true, updatedAt: lastAt })

    const { status, refusal, headers } = await pin(await newLink(), 'ETH')
    expect([status, refusal?.code, headers['retry-after']]).toEqual([503, 'RATE_UNAVAILABLE', '10'])
    expect((await pin(await newLink(), 'USDC')).body.quote?.amount).toBe('30')
    expect((await pin(ref, 'ETH')).body.quote).toEqual(before)
    const options = await app.call(paymentsRoutes.listPaymentOptions, { params: { ref: await newLink() } })
    expect(options.body.filter(({ blockchainCode }) => blockchainCode === 'ETH')).toMatchObject([
      { currencyCode: 'ETH', ready: false, reason: 'There is no trustworthy price right now.' },
      { currencyCode: 'USDC', ready: true, reason: null },
    ])
  })

  it('asks as one process, only when it is time', async () => {
    await poll({ after: MINUTE })
    const { length } = askedFor('Kraken')
    await poll({ after: 7_000 })
    expect(askedFor('Kraken')).toHaveLength(length)
    pass(8_000)
    const again = () => pollPrices(context(), { origins: internet.origins, spacingMs: 0 })
    await Promise.all([again(), again(), again()])
    expect(askedFor('Kraken')).toHaveLength(length * 2)
  })

  it('answers from the database, with one statement a second', async () => {
    await poll()
    let statements = 0
    const count: KyselyPlugin = {
      transformQuery: ({ node }) => ((statements += 1), node),
      transformResult: async ({ result }) => result,
    }
    const ctx = { ...context(), db: app.ctx.db.withPlugin(count) }
    const usdc = { currencyCode: 'USDC', isStable: true }
    const facts = [await currentPrice(ctx, ETH), await currentPrice(ctx, usdc)]
    expect([facts.every((one) => one !== null), statements]).toEqual([true, 1])
    pass(1_000)
    for (const asset of [ETH, usdc, ETH]) await currentPrice(ctx, asset)
    expect(statements).toBe(2)
  })

  it('goes on after the clock was put back', async () => {
    const { length } = askedFor('Kraken')
    await sql`UPDATE price_turns SET next_at = ${new Date(app.clock.now.getTime() + 86_400_000)}`.execute(app.ctx.db)
    await poll()
    expect(askedFor('Kraken').length).toBeGreaterThan(length)
  })

  it('never asks from the sandbox', async () => {
    const { length } = internet.asked
    const ctx = { ...context(), config: { ...app.ctx.config, network: 'sandbox' as const } }
    pass(MINUTE)
    await pollPrices(ctx, { origins: internet.origins })
    expect(internet.asked).toHaveLength(length)
  })

  it('reads a price the others tell in USDT at what they say USDT is worth', async () => {
    internet.prices.set('USDT', '0.985')
    internet.spoil(['Binance'], ({ price }) => ({ price: String(Number(price) / 0.985) }))
    internet.spoil(['Bitstamp', 'Kraken'], ({ currencyCode }) => (currencyCode === 'ETH' ? { status: 500 } : {}))
    await poll()
    const facts = await currentPrice(context(), ETH)
    expect(facts?.sources.find(({ name }) => name === 'Binance')?.price).toMatch(/^(3000|2999\.99999)/)
    internet.spoil(['Kraken', 'Coinbase', 'Bitstamp'], ({ currencyCode }) =>
      currencyCode === 'USDT' ? { status: 500 } : {},
    )
    await poll({ after: 61_000 })
    expect((await why('ETH')).get('Binance')).toBe('nobody can say what USDT is worth')
  })

  it('asks the last resort for what is one source short, and seldom', async () => {
    await poll()
    expect(await priceOf('BASE:CBBTC')).toBe('60000')
    expect(askedFor('CoinGecko').map(({ currencyCode }) => currencyCode)).toEqual(['CBBTC'])
    await poll()
    expect(askedFor('CoinGecko')).toHaveLength(1)
    await poll()
    expect(askedFor('CoinGecko')).toHaveLength(2)
    // Alone it would not be believed, so nothing is asked of it.
    internet.spoil(USUAL, down)
    await poll({ after: 5 * MINUTE })
    expect(askedFor('CoinGecko')).toHaveLength(2)
    internet.spoil(['Kraken'], null)
    await poll()
    expect(askedFor('CoinGecko').map(({ currencyCode }) => currencyCode)).toEqual(['CBBTC', 'CBBTC', 'ETH', 'USDC'])
    expect([await priceOf('ETH:ETH'), await priceOf('BASE:CBBTC')]).toEqual(['3000', null])
  })

  it('never lets an older answer replace a newer one', async () => {
    await poll()
    internet.prices.set('ETH', '3100')
    await pollPrices(
      { ...context(), now: () => new Date(app.clock.now.getTime() - 5 * MINUTE) },
      { origins: internet.origins, spacingMs: 0 },
    )
    expect((await why('ETH')).get('Kraken')).toBe('3000')
  })

  it('counts the failures of a source and the age of a price', async () => {
    internet.spoil(['Bitstamp'], down)
    await poll()
    pass(5_000)
    await pollPrices(context(), {})
    const text = await registry.metrics()
    expect(text).toMatch(/kassa_price_source_failures_total\{source="Bitstamp"\} [1-9]/)
    expect(text).toMatch(/kassa_price_age_seconds\{currency="ETH"\} 5\b/)
  })
})

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
    await poll()
    internet.spoil(['Kraken', 'Coinbase'], ofEth(spoilt))
    internet.spoil(['Bitstamp', 'Binance', 'CoinGecko'], ofEth(down))
    await poll({ after: 61_000 })
    expect((await why('ETH')).get('Kraken')).toContain(said)
    expect(await ticker()).toMatchObject({ price: null, stale: true })
    const { status, refusal } = await pin(await newLink(), 'ETH')
    expect([status, refusal?.code]).toEqual([503, 'RATE_UNAVAILABLE'])
    expect(await priceOf('ETH:USDC')).toBe('1')
  })

  it.each(FEEDS)('prices on without the one source that tells %s', async (_name, spoilt) => {
    await poll()
    internet.spoil(['Kraken'], ofEth(spoilt))
    await poll({ after: 61_000 })
    expect(await priceOf()).toBe('3000')
    const quote = (await pin(await newLink(), 'ETH')).body.quote
    expect(quote).toMatchObject({ amount: '0.01', sources: ['Binance', 'Bitstamp', 'Coinbase'] })
  })

  it('stores untrusted text as it can be stored', async () => {
    internet.spoil(
      ['Kraken'],
      ofEth(() => ({ price: `3\u0000${'é'.repeat(500)}` })),
    )
    await poll()
    expect((await why('ETH')).get('Kraken')).toMatch(/^3\?{60}$/)
    expect(await priceOf()).toBe('3000')
  })
})

describe('prices.alarms', () => {
  it('tells operators of an accepted currency without a price for a minute, and takes it back', async () => {
    await poll()
    internet.spoil(EXCHANGES, ({ currencyCode }) => (currencyCode === 'ETH' ? { status: 503 } : {}))
    await poll({ after: 61_000 })
    expect(await alarms()).toEqual([])
    await poll({ after: 30_000 })
    expect(await alarms()).toEqual([])
    await poll({ after: 31_000 })
    expect(await alarms()).toEqual(['price_missing ETH'])
    const [alarm] = await openAlarms(app.ctx)
    expect(alarm?.text).toContain('Kraken: it answered 503')
    internet.spoil(EXCHANGES, null)
    await poll()
    expect(await alarms()).toEqual([])
  })

  it('tells of a lost peg at once, sells the coin no more, and takes it back', async () => {
    await poll()
    internet.prices.set('USDC', '0.96')
    await poll()
    expect(await alarms()).toEqual(['peg_lost USDC'])
    expect((await openAlarms(app.ctx))[0]?.text).toContain('($0.96)')
    expect(await priceOf('ETH:USDC')).toBeNull()
    expect((await pin(await newLink(), 'USDC')).refusal?.code).toBe('RATE_UNAVAILABLE')
    expect((await pin(await newLink(), 'ETH')).status).toBe(200)
    await poll({ after: 5 * MINUTE })
    expect(await alarms()).toEqual(['peg_lost USDC'])
    internet.prices.set('USDC', '0.99')
    await poll()
    expect([await alarms(), await priceOf('ETH:USDC')]).toEqual([[], '0.99'])
  })

  it('forgets the alarm of a currency nobody accepts any more', async () => {
    await poll()
    internet.prices.set('USDC', '0.96')
    await poll()
    await sql`CREATE TABLE kept AS SELECT * FROM project_assets`.execute(app.ctx.db)
    await sql`DELETE FROM project_assets`.execute(app.ctx.db)
    await poll()
    expect(await alarms()).toEqual([])
    await sql`INSERT INTO project_assets SELECT * FROM kept`.execute(app.ctx.db)
    await sql`DROP TABLE kept`.execute(app.ctx.db)
  })
})

describe('prices.priceAt', () => {
  it('gives the price of the minute, the nearest within five, and otherwise none', async () => {
    const begin = new Date(Math.ceil(app.clock.now.getTime() / MINUTE) * MINUTE)
    app.clock.now = begin
    const at = (minutes: number) => priceAt(context(), ETH, new Date(begin.getTime() + minutes * MINUTE))
    for (const price of ['3000', '3100', '3200']) {
      internet.prices.set('ETH', price)
      await poll({ after: 15_000 })
      await poll({ after: 15_000 })
      pass(30_000)
    }
    pass(20 * MINUTE)
    const texts = []
    for (const minute of [-6, -5, 0, 1.1, 2, 6, 7.5]) texts.push(text(await at(minute)))
    expect(texts).toEqual([null, '3000', '3000', '3100', '3200', '3200', null])
    expect(await priceAt(context(), { currencyCode: 'BTC', isStable: false }, begin)).toBeNull()
  })

  it('values late money of a volatile coin at the price of its block, not of now', async () => {
    await poll()
    const ref = await newLink()
    const to = (await pin(ref, 'ETH')).body.Address
    pass(2 * 60 * MINUTE)
    internet.prices.set('ETH', '2400')
    await poll()
    const minedAt = app.clock.now
    internet.prices.set('ETH', '3500')
    await poll({ after: 20 * MINUTE })
    await eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 16n }], minedAt)
    const { rows } = await sql<{ usd_at_seen: string; late: boolean }>`
      SELECT usd_at_seen, late FROM deposits WHERE to_address = ${to}`.execute(app.ctx.db)
    expect(rows).toEqual([{ usd_at_seen: '24.00', late: true }])
    expect(await priceOf()).toBe('3500')
  })

  it('remembers them for forty days', async () => {
    await poll()
    const then = app.clock.now
    pass((40 * 24 * 60 - 1) * MINUTE)
    await forgetOldPrices(context())
    expect(await priceAt(context(), ETH, then)).not.toBeNull()
    pass(2 * MINUTE)
    await forgetOldPrices(context())
    expect(await priceAt(context(), ETH, then)).toBeNull()
  })

  it('asks the table of the sandbox, which knows no time', async () => {
    const ctx = { ...context(), config: { ...app.ctx.config, network: 'sandbox' as const } }
    expect(text(await priceAt(ctx, ETH, new Date(0)))).toBe('3000')
  })
})

function text(found: { readonly price: bigint } | null): string | null {
  return found && formatUnits(found.price, PRICE_DECIMALS)
}
