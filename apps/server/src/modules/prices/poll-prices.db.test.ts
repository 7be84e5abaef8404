import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { median, PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { registry } from '../../metrics/registry.ts'
import { TEST_EMAIL, TEST_PASSWORD } from '../../testing/app.ts'
import { type Exchange, EXCHANGES, type Spoilt } from '../../testing/services/fake-exchanges.ts'
import { type ExchangeShop, MINUTE, openExchange } from '../../testing/services/exchange.ts'
import { openAlarms } from '../alarms/service.ts'
import { pollPrices } from './poll-prices.ts'
import { currentPrice } from './service.ts'

const ETH = { currencyCode: 'ETH', isStable: false }
const USUAL: readonly Exchange[] = ['Kraken', 'Coinbase', 'Bitstamp', 'Binance']

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

const signIn = async () =>
  (await market.app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })).body.key
const alarms = async () => (await openAlarms(market.app.ctx)).map(({ kind, subject }) => `${kind} ${subject}`)
const askedFor = (exchange: Exchange) => market.internet.asked.filter((one) => one.exchange === exchange)

const down: Spoilt = () => ({ status: 503, body: 'Service Unavailable' })

describe('prices.poll', () => {
  it('prices what several sources agree on, and stores the evidence with the quote', async () => {
    market.internet.spoil(['Kraken'], ({ currencyCode }) => (currencyCode === 'ETH' ? { price: '3010.5' } : {}))
    market.internet.spoil(['Bitstamp'], ({ currencyCode }) => (currencyCode === 'ETH' ? { price: '3400' } : {}))
    await market.poll()
    expect(await market.ticker()).toMatchObject({ price: '3000', stale: false, updatedAt: market.app.clock.now })
    expect(await market.priceOf('BASE:USDC')).toBe('1')

    const ref = await market.newLink()
    const { body } = await market.pin(ref, 'ETH')
    expect(body.quote).toMatchObject({ amount: '0.01', sources: ['Binance', 'Coinbase', 'Kraken'] })
    const { p } = market.shop
    const key = await signIn()
    const detail = await market.app.call(paymentsRoutes.getPayment, { params: { p, ref } }, { key })
    const evidence = detail.body.quotes[0]?.evidence ?? []
    expect(evidence.map(({ source, used, why: reason }) => [source, used, reason])).toEqual([
      ['Binance', true, null],
      ['Bitstamp', false, 'too far from the others'],
      ['Coinbase', true, null],
      ['Kraken', true, null],
    ])
    expect(evidence.every(({ at }) => Math.abs(at.getTime() - market.app.clock.now.getTime()) < 1000)).toBe(true)
    const used = evidence.filter((one) => one.used).map(({ price }) => parseUnits(price, PRICE_DECIMALS))
    expect(formatUnits(median(used), PRICE_DECIMALS)).toBe(body.quote?.priceInUSD)
  })

  it.each(USUAL)('does without %s', async (exchange) => {
    market.internet.spoil([exchange], down)
    await market.poll()
    expect([await market.priceOf('ETH:ETH'), await market.priceOf('ETH:USDC')]).toEqual(['3000', '1'])
    expect(await alarms()).toEqual([])
  })

  it('has no price when no source answers; locked rates stay valid and other assets keep their price', async () => {
    await market.poll()
    const ref = await market.newLink()
    const before = (await market.pin(ref, 'ETH')).body.quote
    const lastAt = market.app.clock.now
    market.internet.spoil(EXCHANGES, ({ currencyCode }) => (currencyCode === 'ETH' ? { status: 503 } : {}))
    await market.poll()
    expect(await market.priceOf()).toBe('3000')
    await market.poll({ after: 61_000 })
    expect(await market.ticker()).toMatchObject({ price: null, stale: true, updatedAt: lastAt })

    const { status, refusal, headers } = await market.pin(await market.newLink(), 'ETH')
    expect([status, refusal?.code, headers['retry-after']]).toEqual([503, 'RATE_UNAVAILABLE', '10'])
    expect((await market.pin(await market.newLink(), 'USDC')).body.quote?.amount).toBe('30')
    expect((await market.pin(ref, 'ETH')).body.quote).toEqual(before)
    const options = await market.app.call(paymentsRoutes.listPaymentOptions, {
      params: { ref: await market.newLink() },
    })
    expect(options.body.filter(({ blockchainCode }) => blockchainCode === 'ETH')).toMatchObject([
      { currencyCode: 'USDC', ready: true, reason: null },
      { currencyCode: 'ETH', ready: false, reason: 'There is no trustworthy price right now.' },
    ])
  })

  it('asks as one process, only when it is time', async () => {
    await market.poll({ after: MINUTE })
    const { length } = askedFor('Kraken')
    await market.poll({ after: 7_000 })
    expect(askedFor('Kraken')).toHaveLength(length)
    market.pass(8_000)
    const again = () => pollPrices(market.context(), { origins: market.internet.origins, spacingMs: 0 })
    await Promise.all([again(), again(), again()])
    expect(askedFor('Kraken')).toHaveLength(length * 2)
  })

  it('answers from the database, with one statement a second', async () => {
    await market.poll()
    let statements = 0
    const count: KyselyPlugin = {
      transformQuery: ({ node }) => ((statements += 1), node),
      transformResult: async ({ result }) => result,
    }
    const ctx = { ...market.context(), db: market.app.ctx.db.withPlugin(count) }
    const usdc = { currencyCode: 'USDC', isStable: true }
    const facts = [await currentPrice(ctx, ETH), await currentPrice(ctx, usdc)]
    expect([facts.every((one) => one !== null), statements]).toEqual([true, 1])
    market.pass(1_000)
    for (const asset of [ETH, usdc, ETH]) await currentPrice(ctx, asset)
    expect(statements).toBe(2)
  })

  it('continues after the clock was set back', async () => {
    const { length } = askedFor('Kraken')
    await sql`UPDATE price_polls SET next_at = ${new Date(market.app.clock.now.getTime() + 86_400_000)}`.execute(
      market.app.ctx.db,
    )
    await market.poll()
    expect(askedFor('Kraken').length).toBeGreaterThan(length)
  })

  it('believes its sources again at once after the clock was set back', async () => {
    await market.poll()
    // While the clock was ahead, every answer was noted with its time; now it is right again.
    await sql`UPDATE price_readings SET asked_at = asked_at + interval '2 hours', source_at = source_at + interval '2 hours'
      `.execute(market.app.ctx.db)
    await sql`UPDATE price_readings SET failure = 'it answered 503' WHERE source = 'Bitstamp'`.execute(
      market.app.ctx.db,
    )
    market.internet.spoil(['Binance'], down)
    market.internet.prices.set('ETH', '3100')
    await market.poll()
    expect(await market.reported('ETH')).toEqual(
      new Map([
        ['Kraken', '3100'],
        ['Coinbase', '3100'],
        ['Bitstamp', '3100'],
        ['Binance', 'it answered 503'],
      ]),
    )
    expect([await market.priceOf('ETH:ETH'), await market.priceOf('BASE:CBBTC')]).toEqual(['3100', '60000'])
  })

  it('never asks from the sandbox', async () => {
    const { length } = market.internet.asked
    const ctx = { ...market.context(), config: { ...market.app.ctx.config, network: 'sandbox' as const } }
    market.pass(MINUTE)
    await pollPrices(ctx, { origins: market.internet.origins })
    expect(market.internet.asked).toHaveLength(length)
  })

  it('converts a price in USDT at the price the other sources report for USDT', async () => {
    market.internet.prices.set('USDT', '0.985')
    market.internet.spoil(['Binance'], ({ price }) => ({ price: String(Number(price) / 0.985) }))
    market.internet.spoil(['Bitstamp', 'Kraken'], ({ currencyCode }) => (currencyCode === 'ETH' ? { status: 500 } : {}))
    await market.poll()
    const facts = await currentPrice(market.context(), ETH)
    expect(facts?.sources.find(({ name }) => name === 'Binance')?.price).toMatch(/^(3000|2999\.99999)/)
    market.internet.spoil(['Kraken', 'Coinbase', 'Bitstamp'], ({ currencyCode }) =>
      currencyCode === 'USDT' ? { status: 500 } : {},
    )
    await market.poll({ after: 61_000 })
    expect((await market.reported('ETH')).get('Binance')).toBe('there is no price for USDT')
  })

  it('asks the last-resort source for what lacks one source, and seldom', async () => {
    await market.poll()
    expect(await market.priceOf('BASE:CBBTC')).toBe('60000')
    expect(askedFor('CoinGecko').map(({ currencyCode }) => currencyCode)).toEqual(['CBBTC'])
    await market.poll()
    expect(askedFor('CoinGecko')).toHaveLength(1)
    await market.poll()
    expect(askedFor('CoinGecko')).toHaveLength(2)
    // Alone it would not be enough, so it is not asked.
    market.internet.spoil(USUAL, down)
    await market.poll({ after: 5 * MINUTE })
    expect(askedFor('CoinGecko')).toHaveLength(2)
    market.internet.spoil(['Kraken'], null)
    await market.poll()
    expect(askedFor('CoinGecko').map(({ currencyCode }) => currencyCode)).toEqual(['CBBTC', 'CBBTC', 'ETH', 'USDC'])
    expect([await market.priceOf('ETH:ETH'), await market.priceOf('BASE:CBBTC')]).toEqual(['3000', null])
  })

  it('never lets an older answer replace a newer one', async () => {
    await market.poll()
    market.internet.prices.set('ETH', '3100')
    await sql`UPDATE price_polls SET next_at = next_at - interval '1 hour'`.execute(market.app.ctx.db)
    const { length } = askedFor('Kraken')
    await pollPrices(
      { ...market.context(), now: () => new Date(market.app.clock.now.getTime() - MINUTE / 2) },
      { origins: market.internet.origins, spacingMs: 0 },
    )
    expect(askedFor('Kraken').length).toBeGreaterThan(length)
    expect((await market.reported('ETH')).get('Kraken')).toBe('3000')
  })

  it('counts the failures of a source and the age of a price', async () => {
    market.internet.spoil(['Bitstamp'], down)
    await market.poll()
    market.pass(5_000)
    await pollPrices(market.context(), {})
    const text = await registry.metrics()
    expect(text).toMatch(/kassa_price_source_failures_total\{source="Bitstamp"\} [1-9]/)
    expect(text).toMatch(/kassa_price_age_seconds\{currency="ETH"\} 5\b/)
  })
})

describe('prices.alarms', () => {
  it('raises an alarm for an accepted currency without a price for a minute, and clears it', async () => {
    await market.poll()
    market.internet.spoil(EXCHANGES, ({ currencyCode }) => (currencyCode === 'ETH' ? { status: 503 } : {}))
    await market.poll({ after: 61_000 })
    expect(await alarms()).toEqual([])
    await market.poll({ after: 30_000 })
    expect(await alarms()).toEqual([])
    await market.poll({ after: 31_000 })
    expect(await alarms()).toEqual(['price_missing ETH'])
    const [alarm] = await openAlarms(market.app.ctx)
    expect(alarm?.text).toContain('Kraken: it answered 503')
    market.internet.spoil(EXCHANGES, null)
    await market.poll()
    expect(await alarms()).toEqual([])
  })

  it('raises the alarm also when the price was first missed by a clock that was ahead', async () => {
    market.internet.spoil(EXCHANGES, ({ currencyCode }) => (currencyCode === 'ETH' ? { status: 503 } : {}))
    await market.poll()
    await sql`UPDATE last_prices SET missing_since = missing_since + interval '2 hours'`.execute(market.app.ctx.db)
    await market.poll()
    await market.poll({ after: 61_000 })
    expect(await alarms()).toEqual(['price_missing ETH'])
  })

  it('raises an alarm for a lost peg at once, pauses new payments in the coin, and clears it', async () => {
    await market.poll()
    market.internet.prices.set('USDC', '0.96')
    await market.poll()
    expect(await alarms()).toEqual(['peg_lost USDC'])
    expect((await openAlarms(market.app.ctx))[0]?.text).toContain('($0.96)')
    expect(await market.priceOf('ETH:USDC')).toBeNull()
    expect((await market.pin(await market.newLink(), 'USDC')).refusal?.code).toBe('RATE_UNAVAILABLE')
    expect((await market.pin(await market.newLink(), 'ETH')).status).toBe(200)
    await market.poll({ after: 5 * MINUTE })
    expect(await alarms()).toEqual(['peg_lost USDC'])
    market.internet.prices.set('USDC', '0.99')
    await market.poll()
    expect([await alarms(), await market.priceOf('ETH:USDC')]).toEqual([[], '0.99'])
  })

  it('clears the alarm of a currency no project accepts any more', async () => {
    await market.poll()
    market.internet.prices.set('USDC', '0.96')
    await market.poll()
    await sql`CREATE TABLE former_assets AS SELECT * FROM project_assets`.execute(market.app.ctx.db)
    await sql`DELETE FROM project_assets`.execute(market.app.ctx.db)
    await market.poll()
    expect(await alarms()).toEqual([])
    await sql`INSERT INTO project_assets SELECT * FROM former_assets`.execute(market.app.ctx.db)
    await sql`DROP TABLE former_assets`.execute(market.app.ctx.db)
  })
})
