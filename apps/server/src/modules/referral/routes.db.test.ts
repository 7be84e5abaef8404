import type { AddressInfo } from 'node:net'

import {
  campaignsRoutes,
  promotersRoutes,
  referralEventsRoutes,
  referralShopRoutes,
} from '@kassa/contract/referral/routes.ts'
import { ledgerRoutes } from '@kassa/contract/ledger/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { isPayramSDKError, Payram } from 'payram'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { ASSET, dollars, openCashier } from '../../testing/cashier.ts'
import { fakeChain } from '../../testing/fake-chain.ts'
import { openProgramme } from '../../testing/referral/programme.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { archiveEnded } from './campaigns/service.ts'
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

describe('referral through the published client', () => {
  const client = () => {
    const baseUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
    return new Payram({
      apiKey: shop.apiKey,
      baseUrl,
      config: { allowInsecureHttp: true, maxRetries: 0, timeoutMs: 10_000 },
    })
  }
  const refused = async (work: Promise<unknown>) => {
    const error: unknown = await work.catch((thrown: unknown) => thrown)
    return isPayramSDKError(error) ? [error.status, error.error ?? error.message] : [0, String(error)]
  }

  it('signs a promoter in, links a customer and logs what they do', async () => {
    await app.http.listen({ port: 0, host: '127.0.0.1' })
    const payram = client()
    const { redirectURL, referrer } = await payram.referrals.authenticateReferrer({
      email: 'ann@example.com',
      referenceID: 'ann',
    })
    expect(redirectURL).toMatch(/^https:\/\/pay\.shop\.example\/referral\/[\w-]{43}$/)
    expect(referrer).toMatchObject({ referenceId: 'ann', status: 'active', code: expect.stringMatching(/^[A-Z2-9]{7}$/) })
    expect(referrer.createdAt).toBeInstanceOf(Date)
    const token = redirectURL.split('/').at(-1) ?? ''
    expect((await referrerOfToken(asSystem(app.ctx), token)).id).toBe(referrer.id)
    const again = await payram.referrals.authenticateReferrer({ email: 'ann@example.com', referenceID: 'ann' })
    expect([again.referrer.id, again.redirectURL === redirectURL]).toEqual([referrer.id, false])
    const referee = await payram.referrals.linkReferee({
      email: 'bob@example.com',
      referenceID: 'bob',
      referrerCode: referrer.code.toLowerCase(),
    })
    expect(referee).toMatchObject({ referredByMemberID: referrer.id, referredByMemberReferenceID: 'ann' })
    const log = await payram.referrals.logReferralEvent({ eventKey: 'order', referenceID: 'bob', amount: 49.99 })
    expect(log).toMatchObject({ status: 'pending', amount: '49.99', memberReferenceID: 'bob' })
    expect(log.triggeredAt).toBeInstanceOf(Date)
    // Sent again without a key within five minutes: the same log.
    const same = await payram.referrals.logReferralEvent({ eventKey: 'order', referenceID: 'bob', amount: 49.99 })
    expect(same.id).toBe(log.id)
  })

  it('reads every refusal: its status and its code', async () => {
    const payram = client()
    const unknown = await refused(payram.referrals.logReferralEvent({ eventKey: 'nothing', referenceID: 'bob' }))
    expect(unknown).toEqual([422, expect.stringContaining('REFERRAL_EVENT_UNKNOWN')])
  })
})

describe('referral.linkReferee', () => {
  const codeOf = async (name: string, email?: string) => (await programme.signIn(name, email)).body.referrer.code
  const codes = async (answer: ReturnType<typeof programme.link>) => (await answer).refusal?.code

  it('gives the same link again, and no other: REFERRAL_LINKED_ALREADY', async () => {
    const [one, two] = [await codeOf('link-one'), await codeOf('link-two')]
    const first = await programme.link('linked', one)
    expect((await programme.link('linked', one)).body.id).toBe(first.body.id)
    expect(await codes(programme.link('linked', two))).toBe('REFERRAL_LINKED_ALREADY')
  })

  it('refuses oneself: by reference, e-mail in any case, and in a ring of three', async () => {
    const code = await codeOf('self', 'Self@Example.com')
    expect(await codes(programme.link('self', code))).toBe('REFERRAL_SELF')
    expect(await codes(programme.link('self-2', code, 'SELF@example.COM'))).toBe('REFERRAL_SELF')
    const [a, b, c] = [await codeOf('ring-a'), await codeOf('ring-b'), await codeOf('ring-c')]
    expect((await programme.link('ring-b', a)).status).toBe(200)
    expect((await programme.link('ring-c', b)).status).toBe(200)
    expect(await codes(programme.link('ring-a', c))).toBe('REFERRAL_SELF')
  })

  it('refuses a customer who pays from the wallet of the promoter: REFERRAL_SELF', async () => {
    const code = await codeOf('wallet-1')
    const cashier = openCashier(app, shop)
    const chain = await fakeChain(app.ctx, 1)
    for (const [customer, from] of [
      ['wallet-1', '0xAbC0000000000000000000000000000000000001'],
      ['wallet-2', '0xabc0000000000000000000000000000000000001'],
      ['wallet-3', '0xabc0000000000000000000000000000000000003'],
    ] as const) {
      const { to } = await cashier.newPayment({ customer })
      await chain.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100), from }])
    }
    expect((await programme.link('wallet-2', code)).refusal).toMatchObject({
      code: 'REFERRAL_SELF',
      details: 'The customer and the promoter pay from one wallet.',
    })
    expect((await programme.link('wallet-3', code)).status).toBe(200)
  })

  it('knows no code of another project, and nobody who is inactive', async () => {
    const foreign = (await openProgramme(app, other, root).signIn('foreign')).body.referrer
    expect(await codes(programme.link('somebody', foreign.code))).toBe('REFERRER_NOT_FOUND')
    const { referrer } = (await programme.signIn('idle')).body
    const params = { p: shop.p, id: referrer.id }
    const set = (status: 'active' | 'inactive') =>
      app.call(promotersRoutes.setPromoterStatus, { params, body: { status } }, { key: root })
    expect((await set('inactive')).body.status).toBe('inactive')
    expect((await set('inactive')).refusal?.code).toBe('REFERRER_STATUS_SAME')
    expect(await codes(programme.link('somebody', referrer.code))).toBe('REFERRER_INACTIVE')
    expect((await programme.signIn('idle')).refusal?.code).toBe('REFERRER_INACTIVE')
  })
})

describe('referral.logReferralEvent', () => {
  it.each([
    ['an amount of a simple event', { eventKey: 'signup', amount: '5' }, 'Amount is for payment events only'],
    ['no amount of a payment', {}, 'Amount is required'],
    ['nothing', { amount: '0' }, 'Amount must be greater than 0'],
    ['less than nothing', { amount: '-5' }, 'Amount must be greater than 0'],
    ['no number', { amount: 'NaN' }, 'Amount must be a decimal number'],
    ['an exponent', { amount: '1e3' }, 'Amount must be a decimal number'],
    ['forty digits', { amount: '1'.repeat(40) }, 'Amount must have at most 12 digits and 6 decimals'],
  ])('refuses %s: REFERRAL_INVALID with the field', async (_what, more, text) => {
    const { status, refusal, text: raw } = await programme.log('bob', more)
    expect([status, refusal?.code, refusal?.fields]).toEqual([422, 'REFERRAL_INVALID', { amount: text }])
    expect(JSON.parse(raw)).toMatchObject({ error: 'REFERRAL_INVALID', message: text })
  })

  it('refuses the event that Kassa logs itself, unknown customers, and payments that are not there', async () => {
    const code = async (answer: ReturnType<typeof programme.log>) => (await answer).refusal?.code
    expect((await programme.log('bob', { eventKey: 'kassa_payment', amount: '5' })).refusal?.fields).toEqual({
      eventKey: 'Kassa logs this event itself',
    })
    expect(await code(programme.log('nobody', { amount: '5' }))).toBe('REFERRER_NOT_FOUND')
    expect(await code(programme.log('bob', { referenceOfPayment: 'x' }))).toBe('PAYMENT_NOT_FOUND')
  })

  it('logs one event of an external id, also a month later: REFERRAL_EVENT_DUPLICATE', async () => {
    const log = () => programme.log('bob', { amount: '5', externalID: 'order-1' })
    const answers = await Promise.all([log(), log(), log()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    pass(31 * DAY)
    expect((await log()).refusal?.code).toBe('REFERRAL_EVENT_DUPLICATE')
    // The session of the operator has run out by then.
    pass(-31 * DAY)
  })

  it('shows a promoter with what they earned (R4)', async () => {
    const read = await app.call(
      referralShopRoutes.getReferrer,
      { query: { referenceID: 'ann' } },
      { key: shop.apiKey },
    )
    expect(read.body).toMatchObject({ referenceId: 'ann', refereeCount: 1, totalRewards: '0', available: '0' })
    const missing = await app.call(
      referralShopRoutes.getReferrer,
      { query: { referenceID: 'nobody' } },
      { key: shop.apiKey },
    )
    expect(missing.refusal?.code).toBe('REFERRER_NOT_FOUND')
  })
})

describe('referral campaigns', () => {
  const rules: readonly [string, Parameters<typeof programme.campaign>[0], string, string][] = [
    ['name', { name: ' ' }, 'name', 'Name is required'],
    ['currency', { currencyCode: 'BTC' }, 'currencyCode', 'Currency must be one of: USD, USDC, USDT'],
    ['both dates', { startDate: '2026-09-01' }, 'endDate', 'Set both dates or none'],
    [
      'their order',
      { startDate: '2026-09-02', endDate: '2026-09-01' },
      'endDate',
      'The end date must not be before the start date',
    ],
    [
      'the past',
      { startDate: '2025-09-01', endDate: '2025-09-02' },
      'endDate',
      'The end date must not be in the past',
    ],
    ['events', { eventKeys: [] }, 'eventKeys', 'Choose at least one event'],
    ['known events', { eventKeys: ['nothing'] }, 'eventKeys', 'Unknown event nothing'],
    [
      'one payment',
      { eventKeys: ['order', 'kassa_payment'] },
      'eventKeys',
      'Only one payment event can be part of a campaign',
    ],
    ['a side', { rewardType: null, rewardValue: null }, 'rewardType', 'Reward someone: promoter, invitee or both'],
    ['type and value', { rewardValue: null }, 'rewardValue', 'Promoter reward is required'],
    ['above zero', { rewardValue: '0' }, 'rewardValue', 'Promoter reward must be greater than 0'],
    ['at most all', { rewardType: 'percentage', rewardValue: '100.1' }, 'rewardValue', 'At most 100%'],
    [
      'percentage of a payment',
      { rewardType: 'percentage', eventKeys: ['signup'] },
      'rewardType',
      'A percentage needs the payment event',
    ],
    ['cap of a percentage', { rewardCap: '5' }, 'rewardCap', 'A cap only works with a percentage'],
    [
      'cap ≤ limit',
      { rewardType: 'percentage', rewardCap: '50', rewardCapPerCustomer: '20' },
      'rewardCapPerCustomer',
      'Cap ≤ per-person limit ≤ budget',
    ],
    ['limit ≤ budget', { rewardCapPerCustomer: '60', budget: '50' }, 'budget', 'Cap ≤ per-person limit ≤ budget'],
    ['budget above zero', { budget: '0' }, 'budget', 'Budget must be greater than 0'],
    [
      'months of that type',
      { campaignTypePerCustomer: 'months_per_customer' },
      'validityMonthsPerCustomer',
      'Number of months is required',
    ],
    [
      'months of no other type',
      { validityMonthsPerCustomer: 3 },
      'validityMonthsPerCustomer',
      'Number of months does not go with this choice',
    ],
    [
      'times of that type',
      { campaignTypePerCustomer: 'count_per_customer' },
      'maxOccurrencesPerCustomer',
      'Number of times is required',
    ],
    [
      'the invitee like the promoter',
      { inviteeRewardType: 'flat_fee', inviteeRewardValue: '-1' },
      'inviteeRewardValue',
      'Invitee reward must be greater than 0',
    ],
  ]
  it.each(rules)('refuse by the rule of %s: CAMPAIGN_RULES', async (_what, body, field, text) => {
    const { status, refusal } = await programme.campaign(body)
    expect([status, refusal?.code, refusal?.message]).toEqual([400, 'CAMPAIGN_RULES', text])
    expect(refusal?.fields).toMatchObject({ [field]: text })
  })

  it('keep every digit of a JSON number', async () => {
    const raw = JSON.stringify({
      ...{ name: 'Digits', currencyCode: 'usdc', campaignTypePerCustomer: 'forever', eventKeys: ['order'] },
      ...{ rewardType: 'flat_fee', rewardValue: 'X' },
    }).replace('"X"', '0.100001')
    const made = await app.call(campaignsRoutes.createCampaign, { params: { p: shop.p } }, { key: root, raw })
    expect(made.body).toMatchObject({ rewardValue: '0.100001', currencyCode: 'USDC', status: 'active', started: true })
  })

  it('change what a running one may, and no more', async () => {
    const { id } = (await programme.campaign({ budget: '50' })).body
    const changed = await programme.change(id, { name: 'Another name', budget: '20', description: 'Text' })
    expect(changed.body).toMatchObject({ name: 'Another name', budget: '20', description: 'Text', rewardValue: '10' })
    const refused = await programme.change(id, { rewardValue: '11', isDefault: false })
    expect(refused.refusal).toMatchObject({ code: 'CAMPAIGN_RUNNING' })
    expect(Object.keys(refused.refusal?.fields ?? {})).toEqual(['isDefault', 'rewardValue'])
    // The same values may be sent again.
    expect((await programme.change(id, { rewardValue: '10.0', eventKeys: ['order'] })).status).toBe(200)
  })

  it('change everything of a future one', async () => {
    const dates = { startDate: '2026-09-01', endDate: '2026-09-30' }
    const { id } = (await programme.campaign(dates)).body
    const change = { rewardType: 'percentage', rewardValue: '5', isDefault: false, eventKeys: ['order', 'signup'] }
    const { body } = await programme.change(id, { ...change, startDate: '2026-09-02' })
    expect(body).toMatchObject({ rewardType: 'percentage', rewardValue: '5', isDefault: false, started: false })
    expect(body.events.map(({ key }) => key)).toEqual(['order', 'signup'])
    expect(body.startDate).toEqual(new Date('2026-09-02T00:00:00Z'))
    expect(body.endDate).toEqual(new Date('2026-09-30T23:59:59.999Z'))
  })

  it('have no budget below what was given: CAMPAIGN_BUDGET_TOO_LOW', async () => {
    const { friend } = await programme.pair('budget')
    await programme.count()
    const { id } = (await programme.campaign({ budget: '100' })).body
    await programme.log(friend, { amount: '5' })
    await programme.log(friend, { amount: '6' })
    await programme.count()
    expect((await programme.change(id, { budget: '19.99' })).refusal?.code).toBe('CAMPAIGN_BUDGET_TOO_LOW')
    expect((await programme.change(id, { budget: '20' })).body).toMatchObject({
      status: 'paused',
      pausedBecause: 'budget',
      budgetLeft: '0',
    })
  })

  it('are paused, resumed and archived; what happened before they were resumed does not count', async () => {
    const { friend } = await programme.pair('status')
    const { id } = (await programme.campaign()).body
    expect((await programme.setStatus(id, 'active')).refusal?.code).toBe('CAMPAIGN_STATUS_SAME')
    expect((await programme.setStatus(id, 'paused')).body).toMatchObject({ pausedBecause: 'operator' })
    await programme.log(friend, { amount: '5' })
    pass(1_000)
    expect((await programme.setStatus(id, 'active')).body.considerEventsFrom).toEqual(app.clock.now)
    await programme.count()
    expect((await programme.rewardsOf(id)).data).toEqual([])
    expect((await programme.setStatus(id, 'archived')).body.status).toBe('archived')
    expect((await programme.setStatus(id, 'active')).refusal?.code).toBe('CAMPAIGN_STATUS_FINAL')
    expect((await programme.change(id, { name: 'New' })).refusal?.code).toBe('CAMPAIGN_ENDED')
  })

  it('are archived at their end, once what happened before it is counted; what is owed stays owed', async () => {
    const { friend, promoter } = await programme.pair('ended')
    const end = new Date(app.clock.now.getTime() + 60_000).toISOString()
    const { id } = (await programme.campaign({ startDate: '2026-01-01', endDate: end })).body
    await programme.log(friend, { amount: '5' })
    pass(60_001)
    expect((await programme.readCampaign(id)).ended).toBe(true)
    expect((await programme.setStatus(id, 'paused')).refusal?.code).toBe('CAMPAIGN_ENDED')
    await archiveEnded(asSystem(app.ctx))
    expect((await programme.readCampaign(id)).status).toBe('active')
    await programme.count()
    await archiveEnded(asSystem(app.ctx))
    expect(await programme.readCampaign(id)).toMatchObject({ status: 'archived', totalRewards: '10' })
    expect(Number((await programme.promoter(promoter.id)).available)).toBeGreaterThanOrEqual(10)
  })

  it('of another project are not there: CAMPAIGN_NOT_FOUND', async () => {
    const { id } = (await programme.campaign()).body
    const params = { p: other.p, id }
    const options = { key: root }
    const answers = [
      await app.call(campaignsRoutes.getCampaign, { params }, options),
      await app.call(campaignsRoutes.changeCampaign, { params, body: { name: 'x' } }, options),
      await app.call(campaignsRoutes.setCampaignStatus, { params, body: { status: 'paused' } }, options),
      await app.call(campaignsRoutes.getCampaignRewardsTotal, { params }, options),
      await app.call(campaignsRoutes.listCampaignRewards, { params }, options),
    ]
    expect(new Set(answers.map(({ refusal }) => refusal?.code))).toEqual(new Set(['CAMPAIGN_NOT_FOUND']))
  })

  it('are listed by pages, with their number and the way to the next', async () => {
    const params = { p: shop.p }
    const list = async (query: object) => app.call(campaignsRoutes.listCampaigns, { params, query }, { key: root })
    const all = await list({ limit: 200 })
    const first = await list({ limit: 2, sortBy: 'name', order: 'asc' })
    expect(first.headers['x-total-count']).toBe(String(all.body.length))
    const cursor = new URL(/<(.*)>/.exec(first.headers.link ?? '')?.[1] ?? '', 'http://x').searchParams.get('cursor')
    const second = await list({ limit: 2, sortBy: 'name', order: 'asc', cursor })
    const names = [...first.body, ...second.body].map(({ name }) => name.toLowerCase())
    expect(names).toEqual(names.toSorted())
    expect(names).toHaveLength(4)
    expect((await list({ status: ['archived'] })).body.every(({ status }) => status === 'archived')).toBe(true)
    expect((await list({ startDateMin: 'soon' })).refusal?.code).toBe('FILTER_INVALID')
  })

  it('total what they gave to each side (G6, G21)', async () => {
    const { friend } = await programme.pair('totals')
    const { id } = (await programme.campaign({ inviteeRewardType: 'percentage', inviteeRewardValue: '10' })).body
    await programme.log(friend, { amount: '5' })
    await programme.count()
    const params = { p: shop.p, id }
    const total = await app.call(campaignsRoutes.getCampaignRewardsTotal, { params }, { key: root })
    expect(total.body).toEqual({
      ...{ campaignID: id, currencyCode: 'USD', total: '10.5', referrerTotal: '10', refereeTotal: '0.5' },
      ...{ rewardCount: 2, budgetLeft: null },
    })
    expect((await programme.rewardsOf(id)).data.map(({ memberType, amount }) => [memberType, amount])).toEqual([
      ['referee', '0.5'],
      ['referrer', '10'],
    ])
  })
})

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
