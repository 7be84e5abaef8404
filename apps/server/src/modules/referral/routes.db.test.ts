import { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { promoterPageRoutes } from '@kassa/contract/referral/page-routes.ts'
import { promotersRoutes, referralEventsRoutes } from '@kassa/contract/referral/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { openProgramme, type ProgrammeTest, programmeTest } from '../../testing/referral/programme.ts'
import { forgetTokens } from './referrers/service.ts'

let test: ProgrammeTest

beforeAll(async () => {
  test = await programmeTest()
})
afterAll(() => test.app.stop())
beforeEach(() => test.forgetRates())
const DAY = 86_400_000

describe('referral events', () => {
  const params = () => ({ p: test.shop.p })

  it('are named once, and keep key and type', async () => {
    expect((await test.programme.event('order', 'simple')).refusal?.code).toBe('REFERRAL_EVENT_EXISTS')
    expect((await test.programme.event('kassa_payment', 'payment')).refusal?.code).toBe('REFERRAL_EVENT_EXISTS')
    const { id } = (await test.programme.event('review', 'simple')).body
    const change = (body: object, which = id) =>
      test.app.call(
        referralEventsRoutes.changeReferralEvent,
        { params: { ...params(), id: which }, body },
        { key: test.root },
      )
    expect((await change({ name: 'A review', description: 'Five stars' })).body).toMatchObject({
      ...{ key: 'review', name: 'A review', description: 'Five stars', isEditable: true },
    })
    expect((await change({ key: 'other' })).refusal?.code).toBe('REFERRAL_EVENT_FIXED')
    expect((await change({ eventType: 'payment' })).refusal?.code).toBe('REFERRAL_EVENT_FIXED')
    expect((await change({ name: 'x' }, 999_999)).refusal?.code).toBe('REFERRAL_EVENT_NOT_FOUND')
    const listed = await test.app.call(
      referralEventsRoutes.listReferralEvents,
      { params: params() },
      { key: test.root },
    )
    const own = listed.body.find(({ key }) => key === 'kassa_payment')
    expect(own).toMatchObject({ isEditable: false, eventType: 'payment' })
    expect((await change({ name: 'Mine' }, own?.id)).refusal?.code).toBe('REFERRAL_EVENT_FIXED')
    const path = { ...params(), id: listed.body.find(({ key }) => key === 'order')?.id ?? 0 }
    const read = await test.app.call(referralEventsRoutes.getReferralEvent, { params: path }, { key: test.root })
    expect(read.body.campaigns.length).toBe(read.body.campaignCount)
  })

  it('are there for Kassa in every project', async () => {
    const { id } = (await test.app.call(projectsRoutes.createProject, { body: { name: 'New' } }, { key: test.root }))
      .body
    const listed = await test.app.call(
      referralEventsRoutes.listReferralEvents,
      { params: { p: String(id) } },
      { key: test.root },
    )
    expect(listed.body.map(({ key }) => key)).toEqual(['kassa_payment'])
  })
})

describe('referral promoters', () => {
  it('are found, counted and totalled', async () => {
    const { promoter, friend } = await test.programme.pair('figures')
    await test.programme.campaign({ currencyCode: 'USDT', rewardValue: '3' })
    await test.programme.log(friend, { amount: '5' })
    await test.programme.count()
    const detail = await test.programme.promoter(promoter.id)
    expect(detail).toMatchObject({ refereeCount: 1, paid: '0', held: '0', owed: '0', referredByMember: null })
    expect(detail.balances.find(({ currencyCode }) => currencyCode === 'USDT')).toMatchObject({ available: '3' })
    const params = { p: test.shop.p, id: promoter.id }
    const options = { key: test.root }
    const list = async (query: object) =>
      (await test.app.call(promotersRoutes.listPromoters, { params: { p: test.shop.p }, query }, options)).body
    expect((await list({ query: promoter.code.toLowerCase() })).data).toMatchObject([
      { id: promoter.id, refereeCount: 1, totalRewards: detail.totalRewards, isReferred: false },
    ])
    expect((await list({ query: 'figures', isReferred: true })).data.map(({ referenceID }) => referenceID)).toEqual([
      friend,
    ])
    const [most] = (await list({ sortBy: 'total_rewards', limit: 1 })).data
    expect(Number(most?.totalRewards)).toBeGreaterThanOrEqual(Number(detail.totalRewards))
    const total = await test.app.call(
      promotersRoutes.getPromoterRewardsTotal,
      { params, query: { currencyCode: 'USDT' } },
      options,
    )
    expect(total.body).toEqual({
      ...{ total: '3', currencyCode: 'USDT', pending: '3', held: '0', processed: '0', reversed: '0' },
    })
    const referees = await test.app.call(
      promotersRoutes.countReferees,
      { params, query: { dateTo: '2020-01-01' } },
      options,
    )
    expect(referees.body.total).toBe(0)
    const rewards = await test.app.call(
      promotersRoutes.listPromoterRewards,
      { params, query: { status: ['pending'] } },
      options,
    )
    expect('data' in rewards.body && rewards.body.total).toBeGreaterThan(0)
    const series = await test.app.call(
      promotersRoutes.listPromoterRewards,
      { params, query: { view: 'series' } },
      options,
    )
    const points = Array.isArray(series.body) ? series.body : []
    expect(points.length).toBe(30)
    expect(points.at(-1)).toMatchObject({ totalRewards: detail.totalRewards, uniqueReferrers: 1 })
    // A day is one of the zone, and holds what was given on it alone.
    await sql`UPDATE rewards SET created_at = '2026-03-10T23:30:00Z' WHERE referrer_id = ${promoter.id}`.execute(
      test.app.ctx.db,
    )
    const inBerlin = async (day: string) => {
      const query = { view: 'series', dateFrom: day, dateTo: day, timezone: 'Europe/Berlin' } as const
      return (await test.app.call(promotersRoutes.listPromoterRewards, { params, query }, options)).body
    }
    expect(await inBerlin('2026-03-11')).toMatchObject([
      {
        date: new Date('2026-03-10T23:00:00Z'),
        until: new Date('2026-03-11T23:00:00Z'),
        totalRewards: detail.totalRewards,
      },
    ])
    expect(await inBerlin('2026-03-10')).toMatchObject([{ totalRewards: '0', uniqueReferrers: 0 }])
    const nowhere = { view: 'series', timezone: 'Mars/Olympus' } as const
    expect(
      (await test.app.call(promotersRoutes.listPromoterRewards, { params, query: nowhere }, options)).refusal?.code,
    ).toBe('FILTER_INVALID')
    const long = { view: 'series', dateFrom: '1990-01-01' } as const
    expect(
      (await test.app.call(promotersRoutes.listPromoterRewards, { params, query: long }, options)).refusal?.code,
    ).toBe('FILTER_INVALID')
  })

  it('are attached to campaigns of their own project: CAMPAIGN_NOT_FOUND', async () => {
    const { promoter, friend } = await test.programme.pair('attached')
    const { id } = (await test.programme.campaign({ isDefault: false })).body
    const foreign = (await openProgramme(test.app, test.other, test.root).campaign({ eventKeys: ['kassa_payment'] }))
      .body
    const attach = (campaignIDs: number[]) =>
      test.app.call(
        promotersRoutes.setPromoterCampaigns,
        { params: { p: test.shop.p, id: promoter.id }, body: { campaignIDs } },
        { key: test.root },
      )
    expect((await attach([id, foreign.id])).refusal?.code).toBe('CAMPAIGN_NOT_FOUND')
    expect((await attach([id, id])).body.campaigns).toMatchObject([{ id, isDefault: false }])
    await test.programme.log(friend, { amount: '5' })
    await test.programme.count()
    expect((await test.programme.rewardsOf(id)).total).toBe(1)
  })

  it('of another project are not there: REFERRER_NOT_FOUND', async () => {
    const { promoter } = await test.programme.pair('foreign')
    const params = { p: test.other.p, id: promoter.id }
    const options = { key: test.root }
    const answers = [
      await test.app.call(promotersRoutes.getPromoter, { params }, options),
      await test.app.call(promotersRoutes.countReferees, { params }, options),
      await test.app.call(promotersRoutes.getPromoterRewardsTotal, { params }, options),
      await test.app.call(promotersRoutes.listPromoterRewards, { params }, options),
      await test.app.call(promotersRoutes.setPromoterStatus, { params, body: { status: 'inactive' } }, options),
      await test.app.call(promotersRoutes.setPromoterCampaigns, { params, body: { campaignIDs: [] } }, options),
    ]
    expect(new Set(answers.map(({ refusal }) => refusal?.code))).toEqual(new Set(['REFERRER_NOT_FOUND']))
  })

  it('lose their page when its token has run out: REFERRAL_TOKEN_INVALID', async () => {
    const { redirectURL } = (await test.programme.signIn('token')).body
    const token = redirectURL.split('/').at(-1) ?? ''
    const page = () => test.app.call(promoterPageRoutes.getPromoterPage, {}, { headers: { 'referral-token': token } })
    expect((await page()).status).toBe(200)
    test.pass(DAY)
    expect((await page()).refusal?.code).toBe('REFERRAL_TOKEN_INVALID')
    await forgetTokens(asSystem(test.app.ctx))
    const left = await sql<{
      n: number
    }>`SELECT count(*)::int AS n FROM referral_tokens WHERE expires_at <= ${test.app.clock.now}`.execute(
      test.app.ctx.db,
    )
    expect(left.rows).toEqual([{ n: 0 }])
    test.pass(-DAY)
  })
})

describe('the books', () => {
  it('name what is owed to promoters of a project in a currency without a network (Q1)', async () => {
    const { body } = await test.app.call(ledgerRoutes.listBalances, { params: { p: test.shop.p } }, { key: test.root })
    const payable = body.find(({ account, currencyCode }) => account === 'referral:payable' && currencyCode === 'USD')
    expect(payable).toMatchObject({ blockchainCode: null })
    expect(Number(payable?.balance)).toBeGreaterThan(0)
    const foreign = await test.app.call(ledgerRoutes.listBalances, { params: { p: test.other.p } }, { key: test.root })
    expect(foreign.body.filter(({ account }) => account.startsWith('referral:'))).toEqual([])
  })
})
