/** What tests of the referral programme do again and again, for one shop. */
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import {
  campaignsRoutes,
  promotersRoutes,
  referralEventsRoutes,
  referralShopRoutes,
} from '@kassa/contract/referral/routes.ts'
import { sql } from 'kysely'

import { asSystem } from '../../context.ts'
import { countPending, wakeForgotten } from '../../modules/referral/counting/service.ts'
import { type TestApp, testApp } from '../app.ts'
import { openShop, type Shop } from '../shop.ts'

type CampaignBody = NonNullable<RouteCall<typeof campaignsRoutes.createCampaign>['body']>
type LogBody = NonNullable<RouteCall<typeof referralShopRoutes.logReferralEvent>['body']>

/** A flat reward of ten dollars to the promoter, each time. */
export const FLAT = {
  name: 'Bring a friend',
  currencyCode: 'USD',
  campaignTypePerCustomer: 'forever',
  rewardType: 'flat_fee',
  rewardValue: '10',
  eventKeys: ['order'],
} satisfies CampaignBody

/** Opens the programme of a shop, as its operator (`root`) and as its own server. */
export function openProgramme(app: TestApp, shop: Shop, root: string) {
  let n = 0
  const params = { p: shop.p }
  const asShop = () => {
    n += 1
    return { key: shop.apiKey, headers: { 'idempotency-key': `programme-${shop.p}-${n}` } }
  }
  const signIn = (referenceID: string, email = `${referenceID}@example.com`) =>
    app.call(referralShopRoutes.authenticateReferrer, { body: { email, referenceID } }, asShop())
  const link = (referenceID: string, referrerCode: string, email = `${referenceID}@example.com`) =>
    app.call(referralShopRoutes.linkReferee, { body: { email, referenceID, referrerCode } }, asShop())
  const log = (referenceID: string, more: Partial<LogBody> = {}) =>
    app.call(referralShopRoutes.logReferralEvent, { body: { eventKey: 'order', referenceID, ...more } }, asShop())
  const event = (key: string, eventType: 'simple' | 'payment') =>
    app.call(referralEventsRoutes.createReferralEvent, { params, body: { key, name: key, eventType } }, { key: root })
  const campaign = (body: CampaignBody = {}) =>
    app.call(campaignsRoutes.createCampaign, { params, body: { ...FLAT, ...body } }, { key: root })
  /** Counts pending logs, as the worker does. */
  const count = () => countPending(asSystem(app.ctx))
  return {
    ...{ signIn, link, log, event, campaign, count },
    /** A promoter and a customer whom they brought. */
    pair: async (name: string) => {
      const promoter = (await signIn(`${name}-promoter`)).body.referrer
      const referee = (await link(`${name}-friend`, promoter.code)).body
      return { promoter, referee, friend: `${name}-friend` }
    },
    sweep: () => wakeForgotten(asSystem(app.ctx)),
    readCampaign: async (id: number) =>
      (await app.call(campaignsRoutes.getCampaign, { params: { ...params, id } }, { key: root })).body,
    change: (id: number, body: CampaignBody) =>
      app.call(campaignsRoutes.changeCampaign, { params: { ...params, id }, body }, { key: root }),
    setStatus: (id: number, status: 'active' | 'paused' | 'archived') =>
      app.call(campaignsRoutes.setCampaignStatus, { params: { ...params, id }, body: { status } }, { key: root }),
    rewardsOf: async (id: number) =>
      (await app.call(campaignsRoutes.listCampaignRewards, { params: { ...params, id } }, { key: root })).body,
    promoter: async (id: number) =>
      (await app.call(promotersRoutes.getPromoter, { params: { ...params, id } }, { key: root })).body,
    logs: async (query: RouteCall<typeof referralEventsRoutes.listEventLogs>['query'] = {}) =>
      (await app.call(referralEventsRoutes.listEventLogs, { params, query }, { key: root })).body,
  }
}

/** A program with the programme of one shop, whose events are an order and a sign-up, and another shop beside it. */
export type ProgrammeTest = Awaited<ReturnType<typeof programmeTest>>

/** Starts it; its clock stands still until the test moves it. */
export async function programmeTest() {
  const app = await testApp({
    now: new Date('2026-01-31T09:30:00.000Z'),
    config: { siteUrl: 'https://pay.shop.example' },
  })
  const root = await app.signUp()
  const shop = await openShop(app, root)
  const programme = openProgramme(app, shop, root)
  await programme.event('order', 'payment')
  await programme.event('signup', 'simple')
  return {
    ...{ app, root, shop, programme },
    other: await openShop(app, root, 'Other'),
    pass: (ms: number) => {
      app.clock.now = new Date(app.clock.now.getTime() + ms)
    },
    /** A suite calls more often than a client. */
    forgetRates: () => sql`DELETE FROM rate_buckets`.execute(app.ctx.db),
  }
}
