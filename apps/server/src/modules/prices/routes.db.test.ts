import { pricesRoutes } from '@kassa/contract/prices/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { currentPrice, setSandboxPrice } from './service.ts'

const now = new Date('2026-01-31T09:30:00Z')

let app: TestApp

beforeAll(async () => {
  app = await testApp({ now })
})
afterAll(async () => {
  await app.stop()
})

const ticker = async () => {
  const { body } = await app.call(pricesRoutes.ticker)
  return new Map(body.map((row) => [`${row.blockchainCode}:${row.currencyCode}`, row]))
}

describe('prices.ticker', () => {
  it('shows anybody what each asset costs', async () => {
    const rows = await ticker()
    expect(rows.get('ETH:ETH')).toMatchObject({
      price: '3000',
      stale: false,
      updatedAt: now,
      family: 'ETH_Family',
      standard: 'native',
      walletPrecision: 18,
    })
    expect(rows.get('BASE:USDC')).toMatchObject({ price: '1', stale: false })
  })

  it('has no price rather than a guess', async () => {
    for (const price of ['NaN', '', '0', '1e400', '3000000']) {
      await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price })
      const rows = await ticker()
      expect(rows.get('ETH:ETH')).toMatchObject({ price: null, stale: true })
      expect(rows.get('BASE:ETH')).toMatchObject({ price: null, stale: true })
      expect(rows.get('ETH:USDC')).toMatchObject({ price: '1' })
    }
  })

  it('follows a drifting source, and its own table otherwise', async () => {
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '3141.59' })
    expect((await ticker()).get('ETH:ETH')?.price).toBe('3141.59')
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: null })
    expect((await ticker()).get('ETH:ETH')?.price).toBe('3000')
  })

  it('checks the peg of stable coins', async () => {
    const priced = async (price: string) => {
      await setSandboxPrice(app.ctx, { currencyCode: 'USDT', price })
      return (await ticker()).get('ETH:USDT')?.price
    }
    expect([await priced('0.996'), await priced('1.005'), await priced('0.985'), await priced('0.97')]).toEqual([
      '1',
      '1',
      '0.985',
      null,
    ])
    await setSandboxPrice(app.ctx, { currencyCode: 'USDT', price: null })
  })
})

describe('prices.currentPrice', () => {
  it('names its one source on the sandbox', async () => {
    const facts = await currentPrice(app.ctx, { currencyCode: 'ETH', isStable: false })
    expect(facts?.sources).toEqual([{ name: 'sandbox', price: '3000', at: now, used: true }])
    expect(await currentPrice(app.ctx, { currencyCode: 'DOGE', isStable: false })).toBeNull()
  })

  it('has no price on real networks before a source has answered, and none of its own', async () => {
    const ctx = { ...app.ctx, config: { ...app.ctx.config, network: 'testnet' as const } }
    expect(await currentPrice(ctx, { currencyCode: 'USDC', isStable: true })).toBeNull()
    await expect(setSandboxPrice(ctx, { currencyCode: 'ETH', price: '1' })).rejects.toThrow('Only the sandbox')
  })
})
