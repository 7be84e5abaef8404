import { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { promotersRoutes, referralEventsRoutes } from '@kassa/contract/referral/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { openProgramme } from '../../testing/referral/programme.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { forgetTokens, referrerOfToken } from './referrers/service.ts'

let app: TestApp
let root: string
let shop: Shop
let other: Shop
let programme: ReturnType<typeof openProgramme>

beforeAll(async () => {
  app = await testApp({
    now: new Date('2026-01-31T09:30:00.000Z'),
    config: { siteUrl: 'https://pay.shop.example' },
  })
  root = await app.signUp()
  shop = await openShop(app, root)
  other = await openShop(app, root, 'Other')
  programme = openProgramme(app, shop, root)
  await programme.event('order', 'payment')
  await programme.event('signup', 'simple')
})
afterAll(() => app.stop())
beforeEach(() => sql`DELETE FROM rate_buckets`.execute(app.ctx.db))

const pass = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}
const DAY = 86_400_000

describe('referral events', () => {
  const params = () => ({ p: shop.p })

  it('are named once, and keep key and type', async () => {
    expect((await programme.event('order', 'simple')).refusal?.code).toBe('REFERRAL_EVENT_EXISTS')
    expect((await programme.event('kassa_payment', 'payment')).refusal?.code).toBe('REFERRAL_EVENT_EXISTS')
    const { id } = (await programme.event('review', 'simple')).body
    const change = (body: object, which = id) =>
      app.call(referralEventsRoutes.changeReferralEvent, { params: { ...params(), id: which }, body }, { key: root })
    expect((await change({ name: 'A review', description: 'Five stars' })).body).toMatchObject({
      ...{ key: 'review', name: 'A review', description: 'Five stars', isEditable: true },
    })
    expect((await change({ key: 'other' })).refusal?.code).toBe('REFERRAL_EVENT_FIXED')
    expect((await change({ eventType: 'payment' })).refusal?.code).toBe('REFERRAL_EVENT_FIXED')
    expect((await change({ name: 'x' }, 999_999)).refusal?.code).toBe('REFERRAL_EVENT_NOT_FOUND')
    const listed = await app.call(referralEventsRoutes.listReferralEvents, { params: params() }, { key: root })
    const own = listed.body.find(({ key }) => key === 'kassa_payment')
    expect(own).toMatchObject({ isEditable: false, eventType: 'payment' })
    expect((await change({ name: 'Mine' }, own?.id)).refusal?.code).toBe('REFERRAL_EVENT_FIXED')
    const path = { ...params(), id: listed.body.find(({ key }) => key === 'order')?.id ?? 0 }
    const read = await app.call(referralEventsRoutes.getReferralEvent, { params: path }, { key: root })
    expect(read.body.campaigns.length).toBe(read.body.campaignCount)
  })

  it('are there for Kassa in every project', async () => {
    const { id } = (await app.call(projectsRoutes.createProject, { body: { name: 'New' } }, { key: root })).body
    const listed = await app.call(referralEventsRoutes.listReferralEvents, { params: { p: String(id) } }, { key: root })
    expect(listed.body.map(({ key }) => key)).toEqual(['kassa_payment'])
  })
})

describe('referral promoters', () => {
  it('are found, counted and totalled', async () => {
    const { promoter, friend } = await programme.pair('figures')
    await programme.campaign({ currencyCode: 'USDT', rewardValue: '3' })
    await programme.log(friend, { amount: '5' })
    await programme.count()
    const detail = await programme.promoter(promoter.id)
    expect(detail).toMatchObject({ refereeCount: 1, paid: '0', held: '0', owed: '0', referredByMember: null })
    expect(detail.balances.find(({ currencyCode }) => currencyCode === 'USDT')).toMatchObject({ available: '3' })
    const params = { p: shop.p, id: promoter.id }
    const options = { key: root }
    const list = async (query: object) =>
      (await app.call(promotersRoutes.listPromoters, { params: { p: shop.p }, query }, options)).body
    expect((await list({ query: promoter.code.toLowerCase() })).data).toMatchObject([
      { id: promoter.id, refereeCount: 1, totalRewards: detail.totalRewards, isReferred: false },
    ])
    expect((await list({ query: 'figures', isReferred: true })).data.map(({ referenceID }) => referenceID)).toEqual([friend])
    const [most] = (await list({ sortBy: 'total_rewards', limit: 1 })).data
    expect(Number(most?.totalRewards)).toBeGreaterThanOrEqual(Number(detail.totalRewards))
    const total = await app.call(promotersRoutes.getPromoterRewardsTotal, { params, query: { currencyCode: 'USDT' } }, options)
    expect(total.body).toEqual({
      ...{ total: '3', currencyCode: 'USDT', pending: '3', held: '0', processed: '0', reversed: '0' },
    })
    const referees = await app.call(promotersRoutes.countReferees, { params, query: { dateTo: '2020-01-01' } }, options)
    expect(referees.body.total).toBe(0)
    const rewards = await app.call(promotersRoutes.listPromoterRewards, { params, query: { status: ['pending'] } }, options)
    expect('data' in rewards.body && rewards.body.total).toBeGreaterThan(0)
    const series = await app.call(promotersRoutes.listPromoterRewards, { params, query: { view: 'series' } }, options)
    const points = Array.isArray(series.body) ? series.body : []
    expect(points.length).toBe(30)
    expect(points.at(-1)).toMatchObject({ totalRewards: detail.totalRewards, uniqueReferrers: 1 })
    const long = { view: 'series', dateFrom: '1990-01-01' } as const
    expect((await app.call(promotersRoutes.listPromoterRewards, { params, query: long }, options)).refusal?.code).toBe(
      'FILTER_INVALID',
    )
  })

  it('are attached to campaigns of their own project: CAMPAIGN_NOT_FOUND', async () => {
    const { promoter, friend } = await programme.pair('attached')
    const { id } = (await programme.campaign({ isDefault: false })).body
    const foreign = (await openProgramme(app, other, root).campaign({ eventKeys: ['kassa_payment'] })).body
    const attach = (campaignIDs: number[]) =>
      app.call(
        promotersRoutes.setPromoterCampaigns,
        { params: { p: shop.p, id: promoter.id }, body: { campaignIDs } },
        { key: root },
      )
    expect((await attach([id, foreign.id])).refusal?.code).toBe('CAMPAIGN_NOT_FOUND')
    expect((await attach([id, id])).body.campaigns).toMatchObject([{ id, isDefault: false }])
    await programme.log(friend, { amount: '5' })
    await programme.count()
    expect((await programme.rewardsOf(id)).total).toBe(1)
  })

  it('of another project are not there: REFERRER_NOT_FOUND', async () => {
    const { promoter } = await programme.pair('foreign')
    const params = { p: other.p, id: promoter.id }
    const options = { key: root }
    const answers = [
      await app.call(promotersRoutes.getPromoter, { params }, options),
      await app.call(promotersRoutes.countReferees, { params }, options),
      await app.call(promotersRoutes.getPromoterRewardsTotal, { params }, options),
      await app.call(promotersRoutes.listPromoterRewards, { params }, options),
      await app.call(promotersRoutes.setPromoterStatus, { params, body: { status: 'inactive' } }, options),
      await app.call(promotersRoutes.setPromoterCampaigns, { params, body: { campaignIDs: [] } }, options),
    ]
    expect(new Set(answers.map(({ refusal }) => refusal?.code))).toEqual(new Set(['REFERRER_NOT_FOUND']))
  })

  it('lose their page when its token has run out: REFERRAL_TOKEN_INVALID', async () => {
    const { redirectURL } = (await programme.signIn('token')).body
    const token = redirectURL.split('/').at(-1) ?? ''
    const ctx = asSystem(app.ctx)
    expect((await referrerOfToken(ctx, token)).reference_id).toBe('token')
    pass(DAY)
    await expect(referrerOfToken(ctx, token)).rejects.toMatchObject({ code: 'REFERRAL_TOKEN_INVALID' })
    await forgetTokens(ctx)
    const left = await sql<{ n: number }>`SELECT count(*)::int AS n FROM referral_tokens WHERE expires_at <= ${app.clock.now}`.execute(
      app.ctx.db,
    )
    expect(left.rows).toEqual([{ n: 0 }])
    pass(-DAY)
  })
})

describe('the books', () => {
  it('name what is owed to promoters of a project in a currency without a network (Q1)', async () => {
    const { body } = await app.call(ledgerRoutes.listBalances, { params: { p: shop.p } }, { key: root })
    const payable = body.find(({ account, currencyCode }) => account === 'referral:payable' && currencyCode === 'USD')
    expect(payable).toMatchObject({ blockchainCode: null })
    expect(Number(payable?.balance)).toBeGreaterThan(0)
    const foreign = await app.call(ledgerRoutes.listBalances, { params: { p: other.p } }, { key: root })
    expect(foreign.body.filter(({ account }) => account.startsWith('referral:'))).toEqual([])
  })
})
