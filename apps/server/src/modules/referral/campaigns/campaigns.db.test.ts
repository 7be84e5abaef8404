import { campaignsRoutes } from '@kassa/contract/referral/routes.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { type ProgrammeTest, programmeTest } from '../../../testing/referral/programme.ts'
import { archiveEnded } from './service.ts'

let test: ProgrammeTest

beforeAll(async () => {
  test = await programmeTest()
})
afterAll(() => test.app.stop())
beforeEach(() => test.forgetRates())

describe('referral campaigns', () => {
  const rules: readonly [string, Parameters<typeof test.programme.campaign>[0], string, string][] = [
    ['name', { name: ' ' }, 'name', 'Name is required'],
    ['currency', { currencyCode: 'BTC' }, 'currencyCode', 'Currency must be one of: USD, USDC, USDT'],
    ['both dates', { startDate: '2026-09-01' }, 'endDate', 'Set both dates or none'],
    [
      'their order',
      { startDate: '2026-09-02', endDate: '2026-09-01' },
      'endDate',
      'The end date must not be before the start date',
    ],
    ['the past', { startDate: '2025-09-01', endDate: '2025-09-02' }, 'endDate', 'The end date must not be in the past'],
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
    const { status, refusal } = await test.programme.campaign(body)
    expect([status, refusal?.code, refusal?.message]).toEqual([400, 'CAMPAIGN_RULES', text])
    expect(refusal?.fields).toMatchObject({ [field]: text })
  })

  it('keep every digit of a JSON number', async () => {
    const raw = JSON.stringify({
      ...{ name: 'Digits', currencyCode: 'usdc', campaignTypePerCustomer: 'forever', eventKeys: ['order'] },
      ...{ rewardType: 'flat_fee', rewardValue: 'X' },
    }).replace('"X"', '0.100001')
    const made = await test.app.call(
      campaignsRoutes.createCampaign,
      { params: { p: test.shop.p } },
      { key: test.root, raw },
    )
    expect(made.body).toMatchObject({ rewardValue: '0.100001', currencyCode: 'USDC', status: 'active', started: true })
  })

  it('change what a running one may, and no more', async () => {
    const { id } = (await test.programme.campaign({ budget: '50' })).body
    const changed = await test.programme.change(id, { name: 'Another name', budget: '20', description: 'Text' })
    expect(changed.body).toMatchObject({ name: 'Another name', budget: '20', description: 'Text', rewardValue: '10' })
    const refused = await test.programme.change(id, { rewardValue: '11', isDefault: false })
    expect(refused.refusal).toMatchObject({ code: 'CAMPAIGN_RUNNING' })
    expect(Object.keys(refused.refusal?.fields ?? {})).toEqual(['isDefault', 'rewardValue'])
    // The same values may be sent again.
    expect((await test.programme.change(id, { rewardValue: '10.0', eventKeys: ['order'] })).status).toBe(200)
  })

  it('change everything of a future one', async () => {
    const dates = { startDate: '2026-09-01', endDate: '2026-09-30' }
    const { id } = (await test.programme.campaign(dates)).body
    const change = { rewardType: 'percentage', rewardValue: '5', isDefault: false, eventKeys: ['order', 'signup'] }
    const { body } = await test.programme.change(id, { ...change, startDate: '2026-09-02' })
    expect(body).toMatchObject({ rewardType: 'percentage', rewardValue: '5', isDefault: false, started: false })
    expect(body.events.map(({ key }) => key)).toEqual(['order', 'signup'])
    expect(body.startDate).toEqual(new Date('2026-09-02T00:00:00Z'))
    expect(body.endDate).toEqual(new Date('2026-09-30T23:59:59.999Z'))
  })

  it('have no budget below what was given: CAMPAIGN_BUDGET_TOO_LOW', async () => {
    const { friend } = await test.programme.pair('budget')
    await test.programme.count()
    const { id } = (await test.programme.campaign({ budget: '100' })).body
    await test.programme.log(friend, { amount: '5' })
    await test.programme.log(friend, { amount: '6' })
    await test.programme.count()
    expect((await test.programme.change(id, { budget: '19.99' })).refusal?.code).toBe('CAMPAIGN_BUDGET_TOO_LOW')
    expect((await test.programme.change(id, { budget: '20' })).body).toMatchObject({
      status: 'paused',
      pausedBecause: 'budget',
      budgetLeft: '0',
    })
  })

  it('stay paused by their budget until it is raised, whatever else is changed', async () => {
    const { friend } = await test.programme.pair('still')
    const { id } = (await test.programme.campaign({ budget: '15' })).body
    // The second reward would pass the budget, so that a part of it is left.
    await test.programme.log(friend, { amount: '5' })
    await test.programme.log(friend, { amount: '6' })
    await test.programme.count()
    const paused = { status: 'paused', pausedBecause: 'budget', totalRewards: '10' }
    expect(await test.programme.readCampaign(id)).toMatchObject(paused)
    for (const body of [{ description: 'Other words' }, { budget: '15.0' }, { budget: '12' }])
      expect((await test.programme.change(id, body)).body).toMatchObject(paused)
    expect((await test.programme.change(id, { budget: '30' })).body).toMatchObject({
      status: 'active',
      pausedBecause: null,
    })
    // Other tests have campaigns of their own.
    await test.programme.setStatus(id, 'archived')
  })

  it('are paused, resumed and archived; what happened before they were resumed does not count', async () => {
    const { friend } = await test.programme.pair('status')
    const { id } = (await test.programme.campaign()).body
    expect((await test.programme.setStatus(id, 'active')).refusal?.code).toBe('CAMPAIGN_STATUS_SAME')
    expect((await test.programme.setStatus(id, 'paused')).body).toMatchObject({ pausedBecause: 'operator' })
    await test.programme.log(friend, { amount: '5' })
    test.pass(1_000)
    expect((await test.programme.setStatus(id, 'active')).body.considerEventsFrom).toEqual(test.app.clock.now)
    await test.programme.count()
    expect((await test.programme.rewardsOf(id)).data).toEqual([])
    expect((await test.programme.setStatus(id, 'archived')).body.status).toBe('archived')
    expect((await test.programme.setStatus(id, 'active')).refusal?.code).toBe('CAMPAIGN_STATUS_FINAL')
    expect((await test.programme.change(id, { name: 'New' })).refusal?.code).toBe('CAMPAIGN_ENDED')
  })

  it('are archived at their end, once what happened before it is counted; what is owed stays owed', async () => {
    const { friend, promoter } = await test.programme.pair('ended')
    const end = new Date(test.app.clock.now.getTime() + 60_000).toISOString()
    const { id } = (await test.programme.campaign({ startDate: '2026-01-01', endDate: end })).body
    await test.programme.log(friend, { amount: '5' })
    test.pass(60_001)
    expect((await test.programme.readCampaign(id)).ended).toBe(true)
    expect((await test.programme.setStatus(id, 'paused')).refusal?.code).toBe('CAMPAIGN_ENDED')
    await archiveEnded(asSystem(test.app.ctx))
    expect((await test.programme.readCampaign(id)).status).toBe('active')
    await test.programme.count()
    await archiveEnded(asSystem(test.app.ctx))
    expect(await test.programme.readCampaign(id)).toMatchObject({ status: 'archived', totalRewards: '10' })
    expect(Number((await test.programme.promoter(promoter.id)).available)).toBeGreaterThanOrEqual(10)
  })

  it('of another project are not there: CAMPAIGN_NOT_FOUND', async () => {
    const { id } = (await test.programme.campaign()).body
    const params = { p: test.other.p, id }
    const options = { key: test.root }
    const answers = [
      await test.app.call(campaignsRoutes.getCampaign, { params }, options),
      await test.app.call(campaignsRoutes.changeCampaign, { params, body: { name: 'x' } }, options),
      await test.app.call(campaignsRoutes.setCampaignStatus, { params, body: { status: 'paused' } }, options),
      await test.app.call(campaignsRoutes.getCampaignRewardsTotal, { params }, options),
      await test.app.call(campaignsRoutes.listCampaignRewards, { params }, options),
    ]
    expect(new Set(answers.map(({ refusal }) => refusal?.code))).toEqual(new Set(['CAMPAIGN_NOT_FOUND']))
  })

  it('are listed by pages, with their number and the way to the next', async () => {
    const params = { p: test.shop.p }
    const list = async (query: object) =>
      test.app.call(campaignsRoutes.listCampaigns, { params, query }, { key: test.root })
    const all = await list({ limit: 200 })
    const first = await list({ limit: 2, sortBy: 'name', order: 'asc' })
    expect(first.headers['x-total-count']).toBe(String(all.body.length))
    const follow = async ({ headers }: { headers: Record<string, string | undefined> }) => {
      const url = /<(.*)>/.exec(headers.link ?? '')?.[1] ?? ''
      const answer = await test.app.http.inject({ url, headers: { host: 'localhost:8080', 'api-key': test.root } })
      return answer.json<{ name: string; status: string }[]>()
    }
    const names = [...first.body, ...(await follow(first))].map(({ name }) => name.toLowerCase())
    expect(names).toEqual(names.toSorted())
    expect(names).toHaveLength(4)
    expect((await list({ status: ['archived'] })).body.every(({ status }) => status === 'archived')).toBe(true)
    const rest = await follow(await list({ status: ['active', 'paused'], limit: 1 }))
    expect(rest.map(({ status }) => status === 'archived')).toEqual([false])
    expect((await list({ startDateMin: 'soon' })).refusal?.code).toBe('FILTER_INVALID')
  })

  it('total what they gave to each side (G6, G21)', async () => {
    const { friend } = await test.programme.pair('totals')
    const { id } = (await test.programme.campaign({ inviteeRewardType: 'percentage', inviteeRewardValue: '10' })).body
    await test.programme.log(friend, { amount: '5' })
    await test.programme.count()
    const params = { p: test.shop.p, id }
    const total = await test.app.call(campaignsRoutes.getCampaignRewardsTotal, { params }, { key: test.root })
    expect(total.body).toEqual({
      ...{ campaignID: id, currencyCode: 'USD', total: '10.5', referrerTotal: '10', refereeTotal: '0.5' },
      ...{ rewardCount: 2, budgetLeft: null },
    })
    expect((await test.programme.rewardsOf(id)).data.map(({ memberType, amount }) => [memberType, amount])).toEqual([
      ['referee', '0.5'],
      ['referrer', '10'],
    ])
  })
})
