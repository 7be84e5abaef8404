import { PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type ExchangeShop, MINUTE, openExchange } from '../../testing/services/exchange.ts'
import { ASSET } from '../../testing/cashier.ts'
import { forgetOldPrices } from './poll-prices.ts'
import { priceAt } from './service.ts'

const ETH = { currencyCode: 'ETH', isStable: false }

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

describe('prices.priceAt', () => {
  it('returns the price of the minute, the nearest within five, and otherwise none', async () => {
    const begin = new Date(Math.ceil(market.app.clock.now.getTime() / MINUTE) * MINUTE)
    market.app.clock.now = begin
    const at = (minutes: number) => priceAt(market.context(), ETH, new Date(begin.getTime() + minutes * MINUTE))
    for (const price of ['3000', '3100', '3200']) {
      market.internet.prices.set('ETH', price)
      await market.poll({ after: 15_000 })
      await market.poll({ after: 15_000 })
      market.pass(30_000)
    }
    market.pass(20 * MINUTE)
    const texts = []
    for (const minute of [-6, -5, 0, 1.1, 2, 6, 7.5]) texts.push(text(await at(minute)))
    expect(texts).toEqual([null, '3000', '3000', '3100', '3200', '3200', null])
    expect(await priceAt(market.context(), { currencyCode: 'BTC', isStable: false }, begin)).toBeNull()
  })

  it('values a late deposit of a volatile coin at the price of its block, not of now', async () => {
    await market.poll()
    const ref = await market.newLink()
    const to = (await market.pin(ref, 'ETH')).body.Address
    market.pass(2 * 60 * MINUTE)
    market.internet.prices.set('ETH', '2400')
    await market.poll()
    const minedAt = market.app.clock.now
    market.internet.prices.set('ETH', '3500')
    await market.poll({ after: 20 * MINUTE })
    await market.eth.mine([{ to, assetId: ASSET.ETH, units: 10n ** 16n }], minedAt)
    const { rows } = await sql<{ usd_at_seen: string; late: boolean }>`
      SELECT usd_at_seen, late FROM deposits WHERE to_address = ${to}`.execute(market.app.ctx.db)
    expect(rows).toEqual([{ usd_at_seen: '24.00', late: true }])
    expect(await market.priceOf()).toBe('3500')
  })

  it('stores them for forty days', async () => {
    await market.poll()
    const then = market.app.clock.now
    market.pass((40 * 24 * 60 - 1) * MINUTE)
    await forgetOldPrices(market.context())
    expect(await priceAt(market.context(), ETH, then)).not.toBeNull()
    market.pass(2 * MINUTE)
    await forgetOldPrices(market.context())
    expect(await priceAt(market.context(), ETH, then)).toBeNull()
  })

  it('uses the table of the sandbox, which has no history', async () => {
    const ctx = { ...market.context(), config: { ...market.app.ctx.config, network: 'sandbox' as const } }
    expect(text(await priceAt(ctx, ETH, new Date(0)))).toBe('3000')
  })
})

function text(found: { readonly price: bigint } | null): string | null {
  return found && formatUnits(found.price, PRICE_DECIMALS)
}
