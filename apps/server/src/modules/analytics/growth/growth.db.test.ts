import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { growthRoutes } from '@kassa/contract/referral/growth-routes.ts'
import { rewardCurrenciesRoutes } from '@kassa/contract/referral/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { ASSET, dollars, openCashier } from '../../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { addOperator } from '../../../testing/operators.ts'
import { openProgramme } from '../../../testing/referral/programme.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'

const START = new Date('2026-04-06T23:30:00.000Z')
/** Another day, and the session still lives. */
const AFTER_MIDNIGHT = new Date('2026-04-07T00:10:00.000Z')

let app: TestApp
let key: string
let shop: Shop
let eth: FakeChain
let other: Shop
let figuresKey: string
/** The last block before the friend’s payment. */
let before: number

/** Two promoters: one whose customer paid $100 through Kassa and $49.50 elsewhere, one whose customer did nothing. */
beforeAll(async () => {
  app = await testApp({ now: START, config: { siteUrl: 'https://pay.shop.example' } })
  key = await app.signUp()
  shop = await openShop(app, key)
  other = await openShop(app, key, 'Other')
  const body = { name: 'figures', scopes: ['analytics:read'] }
  figuresKey = (await app.call(apiKeysRoutes.createApiKey, { params: { p: shop.p }, body }, { key })).body.key ?? ''
  eth = await fakeChain(app.ctx, 1)
  const programme = openProgramme(app, shop, key)
  const cashier = openCashier(app, shop)
  await programme.event('order', 'payment')
  const invitee = { inviteeRewardType: 'flat_fee', inviteeRewardValue: '2' }
  const share = { rewardType: 'percentage', rewardValue: '10', ...invitee }
  await programme.campaign({ name: 'Through Kassa', ...share, eventKeys: ['kassa_payment'] })
  await programme.campaign({ name: 'Elsewhere', rewardType: 'flat_fee', rewardValue: '5', eventKeys: ['order'] })
  const { id } = (await programme.campaign({ name: 'Over' })).body
  await programme.setStatus(id, 'archived')
  const { friend } = await programme.pair('ann')
  await programme.pair('bob')
  const payment = await cashier.newPayment({ customer: friend })
  before = eth.height()
  await eth.mine([{ to: payment.to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
  await eth.mine()
  await programme.count()
  // The same payment under a second name is not paid twice.
  await programme.log(friend, { referenceOfPayment: payment.ref })
  await programme.count()
  app.clock.now = AFTER_MIDNIGHT
  await programme.log(friend, { amount: '49.5' })
  await programme.count()
}, 120_000)
afterAll(() => app.stop())

const read = (x: string, body: Record<string, unknown> = {}, options: { key?: string; p?: string } = {}) =>
  app.call(
    growthRoutes.getGrowthFigure,
    { params: { p: options.p ?? shop.p, x }, body },
    { key: options.key ?? key, method: 'POST' },
  )

async function figure(x: string, body: Record<string, unknown> = {}) {
  const { data } = (await read(x, body)).body
  const [point] = data as readonly { readonly text: string; readonly value: string }[]
  return point && [point.text, point.value]
}

/** What the books say that the programme has cost. */
async function expense(): Promise<string> {
  const { rows } = await sql<{ units: string }>`
    SELECT coalesce(sum(debits - credits), 0)::text AS units FROM accounts
    WHERE kind = 'referral:expense' AND owner_key = ${`project:${shop.projectId}`}`.execute(app.ctx.db)
  return rows[0]?.units ?? ''
}

type Bar = { readonly at: Date; readonly Promoters?: string; readonly Invitees?: string }

describe('growth figures', () => {
  it('count promoters, the customers they brought, and campaigns by their state and beginning', async () => {
    expect(await figure('promoters_count')).toEqual(['2', '2'])
    expect(await figure('referee_count')).toEqual(['2', '2'])
    expect(await figure('campaign_count')).toEqual(['3', '3'])
    expect(await figure('campaign_count', { status: ['active'] })).toEqual(['2', '2'])
    expect(await figure('campaign_count', { startDateMax: '2026-04-05' })).toEqual(['0', '0'])
  })

  it('add up to what the books say: to promoters, to invitees, and day by day', async () => {
    // 10 % of $100, and $5 for each of the two orders; $2 to the invitee.
    expect(await figure('reward_value')).toEqual(['$20.00', '20.00'])
    const answer = (await read('reward_series', { analytics_date_filter: 'forever', timezone: 'UTC' })).body
    expect(answer).toMatchObject({ id: 8, type: 'bar_graph', attributes: { axisLeft: 'USD' } })
    const bars = answer.data as unknown as readonly Bar[]
    const days = Map.groupBy(bars, ({ at }) => at.toISOString().slice(0, 10))
    const sum = (rows: readonly Bar[] = []) =>
      rows.map(({ Promoters = '0', Invitees = '0' }) => Number(Promoters) + Number(Invitees)).reduce((a, b) => a + b, 0)
    expect([...days].map(([day, rows]) => [day, sum(rows)])).toEqual([
      ['2026-04-06', 17],
      ['2026-04-07', 5],
    ])
    expect(await expense()).toBe('22000000')
  })

  it('count revenue once per payment, and lose what a reorganisation takes', async () => {
    expect(await figure('total_revenue')).toEqual(['$149.50', '149.50'])
    expect(await figure('reward_claimed')).toEqual(['$0.00', '0.00'])
    await eth.reorg(before)
    expect(await figure('total_revenue')).toEqual(['$49.50', '49.50'])
    expect(await figure('reward_value')).toEqual(['$5.00', '5.00'])
    expect(await expense()).toBe('5000000')
  })

  it('find promoters by what their e-mail or reference begins with, or by their code, as their list does', async () => {
    const found = async (query: string) => (await read('promoters', { query })).body.data
    const [row] = (await found('ann-pro')) as unknown as { text: string }[][]
    expect(await found(row?.[2]?.text.toLowerCase() ?? '')).toHaveLength(1)
    expect(await found('ANN-PRO')).toHaveLength(1)
    for (const query of ['promoter@', 'nn-promoter', '%', 'ann_promoter']) expect(await found(query)).toEqual([])
  })

  it('list promoters with their code, whom they brought and what they earned', async () => {
    const { data, attributes } = (await read('promoters', { query: 'ann' })).body
    expect(attributes).toMatchObject([
      { cell_type: 'profile', column_name: '' },
      { column_name: 'Customer' },
      { column_name: 'Referral Code' },
      { column_name: 'Customers' },
      { cell_type: 'date', column_name: 'Date Joined' },
      { column_name: 'Rewards Earned' },
    ])
    expect(data).toMatchObject([
      [
        { tooltip: 'ann-promoter@example.com', externalPlatformID: shop.projectId },
        { name: 'ann-promoter@example.com', description: 'ann-promoter' },
        { text: expect.stringMatching(/^[A-Z2-9]{7}$/) },
        { text: '1' },
        { value: START },
        { text: '$5.00' },
      ],
    ])
    expect((await read('promoters', { status: ['inactive'] })).body.data).toEqual([])
  })

  it('are read by managers of the programme and by keys of analytics only', async () => {
    const admin = await addOperator(app, { projectId: shop.projectId, role: 'platform_referral_admin' })
    expect((await read('reward_value', {}, { key: admin.key })).status).toBe(200)
    expect((await read('reward_value', {}, { key: figuresKey })).status).toBe(200)
    const stranger = await addOperator(app, { projectId: other.projectId, role: 'project_lead' })
    expect((await read('reward_value', {}, { key: stranger.key })).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await read('reward_value', {}, { key: stranger.key, p: 'all' })).body.data).toMatchObject([
      { value: '0.00' },
    ])
    const ops = await addOperator(app, { projectId: shop.projectId, role: 'project_ops' })
    expect((await read('reward_value', {}, { key: ops.key })).refusal?.code).toBe('FORBIDDEN')
  })

  it.each([
    ['another figure', 'profit', {}, 'GRAPH_NOT_FOUND'],
    ['a filter that does not exist', 'reward_value', { colour: 'red' }, 'FILTER_INVALID'],
    ['a state that is no list', 'promoters', { status: { a: 1 } }, 'FILTER_INVALID'],
    ['no text to look for', 'promoters', { query: ['x'] }, 'FILTER_INVALID'],
    ['no day', 'campaign_count', { startDateMax: '2026-02-30' }, 'FILTER_INVALID'],
  ])('refuse %s', async (_what, x, body, code) => {
    expect((await read(x, body)).refusal?.code).toBe(code)
  })
})

describe('reward currencies (B13)', () => {
  it('are US dollars and stable currencies that can be withdrawn, with their networks', async () => {
    const { body } = await app.call(rewardCurrenciesRoutes.listRewardCurrencies, {}, { key })
    expect(body.map(({ code }) => code)).toEqual(['USD', 'USDC', 'USDT'])
    expect(body.find(({ code }) => code === 'USDC')?.blockchains).toContain('BASE')
  })
})
