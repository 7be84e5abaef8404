import { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'
import { payoutsRoutes } from '@kassa/contract/withdrawals/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { bookFloat } from '../../../testing/money-out/hot-wallet.ts'
import { payoutShop } from '../../../testing/money-out/payouts.ts'
import { saveSetting } from '../../settings/service.ts'
import { addHotWallet, findHotWallet } from '../../wallets/hot/service.ts'

const [CHAIN, USDC] = [1, 7]

let app: TestApp
let root: string
let shop: Awaited<ReturnType<typeof payoutShop>>

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = await payoutShop(app, root)
})
afterAll(() => app.stop())

describe('D4: payouts of a project', () => {
  it('are narrowed by the day they were sent, whenever they were asked for: FILTER_INVALID', async () => {
    const list = (query: object) => app.call(payoutsRoutes.listPayouts, { params: { p: shop.p }, query }, { key: root })
    const idsOf = async (query: object) => (await list(query)).body.data.map(({ id }) => id)
    const [late, early] = [(await shop.ask()).body.id, (await shop.ask()).body.id]
    await sql`UPDATE withdrawals SET created_at = '2026-01-28T12:00Z', sent_at = '2026-01-31T23:30Z' WHERE id = ${late}`.execute(
      app.ctx.db,
    )
    await sql`UPDATE withdrawals SET created_at = '2026-01-31T08:00Z', sent_at = '2026-01-30T23:59Z' WHERE id = ${early}`.execute(
      app.ctx.db,
    )
    const today = { sentAfter: '2026-01-31T00:00:00', sentBefore: '2026-01-31T23:59:59' }
    expect(await idsOf(today)).toEqual([late])
    expect(await idsOf({ ...today, timezone: 'Europe/Berlin' })).toEqual([early])
    expect(await idsOf({ ...today, dateFrom: '2026-01-31' })).toEqual([])
    expect(await idsOf({ sentBefore: '2026-01-31' })).toEqual([early, late])
    expect((await list({ sentAfter: 'yesterday' })).refusal?.code).toBe('FILTER_INVALID')
    const { nextCursor } = (await list({ sentBefore: '2026-01-31', limit: 1 })).body
    expect((await list({ sentBefore: '2026-01-30', limit: 1, cursor: nextCursor })).refusal?.code).toBe(
      'CURSOR_INVALID',
    )
  })
})

describe('D6: what can be paid out', () => {
  const usdc = async (p = shop.p) => {
    const { body } = await app.call(payoutsRoutes.listPayoutBalances, { params: { p } }, { key: root })
    return body.find(({ blockchainCode, currencyCode }) => blockchainCode === 'ETH' && currencyCode === 'USDC')
  }

  it('has the price of now, or none', async () => {
    expect(Number((await usdc())?.priceInUSD)).toBeCloseTo(1, 1)
    await sql`INSERT INTO sandbox_prices (currency_code, price) VALUES ('USDC', 'nonsense')
      ON CONFLICT (currency_code) DO UPDATE SET price = 'nonsense'`.execute(app.ctx.db)
    expect((await usdc())?.priceInUSD).toBeNull()
    await sql`DELETE FROM sandbox_prices`.execute(app.ctx.db)
  })

  it('is what the hot wallet has free, and no more than was earned where operators say so', async () => {
    const ctx = asSystem(app.ctx)
    expect(await usdc()).toMatchObject({ available: '0', payable: '0' })
    await addHotWallet(ctx, { family: 'ETH_Family', name: 'Payouts', generate: true, functions: ['payout'] })
    const wallet = await findHotWallet(ctx, { blockchainId: CHAIN, purpose: 'payout' })
    await bookFloat(ctx, wallet?.walletId ?? 0, { [USDC]: 75_500_000n })
    expect(await usdc()).toMatchObject({ available: '75.5', payable: '75.5' })
    await saveSetting(ctx, { key: 'payouts.from', value: 'earned' })
    expect(await usdc()).toMatchObject({ available: '75.5', payable: '0' })
    expect(await usdc('all')).toMatchObject({ available: '75.5', payable: '75.5' })
    await saveSetting(ctx, { key: 'payouts.from', value: 'float' })
  })
})

describe('Q2: the journal', () => {
  it('is narrowed to one payout', async () => {
    const entries = async (query: object) => {
      const { body } = await app.call(ledgerRoutes.listEntries, { params: { p: shop.p }, query }, { key: root })
      return body.data.map(({ posting, source }) => `${posting} ${source}`)
    }
    const [id, other] = [(await shop.ask()).body.id, (await shop.ask()).body.id]
    await shop.approve(id)
    await shop.approve(other)
    const held = (await entries({})).filter((entry) => entry.includes(`withdrawal:${id}:`))
    expect(held).toHaveLength(1)
    expect(await entries({ withdrawalID: String(id) })).toEqual(held)
    expect(await entries({ withdrawalID: String(id), account: 'project:held' })).toEqual(held)
    expect(await entries({ withdrawalID: '%' })).toEqual([])
    expect(await entries({ withdrawalID: String(id), referenceID: '01920000-0000-7000-8000-000000000001' })).toEqual([])
  })
})
