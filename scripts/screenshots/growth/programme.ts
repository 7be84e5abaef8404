/** A referral programme with a past: campaigns in every state, promoters, what they earned and asked to be paid. */
import {
  campaignsRoutes,
  promotersRoutes,
  referralEventsRoutes,
  referralShopRoutes,
} from '@kassa/contract/referral/routes.ts'

import type { Shop } from '../../../e2e/shop.ts'
import { until } from '../../../e2e/until.ts'

export type Programme = {
  readonly campaign: number
  readonly chosen: number
  /** The one who brought most. */
  readonly promoter: number
  /** The path of their page. */
  readonly link: string
}

const SHARE = {
  currencyCode: 'USD',
  eventKeys: ['first_purchase'],
  campaignTypePerCustomer: 'forever',
  rewardType: 'percentage',
  rewardValue: '10',
}

/** Promoters and what the friends of each bought. */
const BOUGHT: Readonly<Record<string, readonly string[]>> = {
  'maya.okafor': ['240', '89.5', '412.35', '36'],
  'jonas.lindqvist': ['1200', '64'],
  'sofia.marchetti': ['150'],
  'amir.haddad': ['75.25', '310'],
  'wilhelmina-von-und-zu-hohenlohe-schillingsfuerst': ['49.99'],
  'kenji.watanabe': [],
}

/** Fills the programme of a shop. */
export async function seedProgramme({ project: p, operator, merchant }: Shop): Promise<Programme> {
  const params = { p }
  for (const [key, name, eventType] of [
    ['first_purchase', 'First purchase', 'payment'],
    ['newsletter', 'Newsletter sign-up', 'simple'],
  ] as const) {
    await operator(referralEventsRoutes.createReferralEvent, { params, body: { key, name, eventType } })
  }
  const create = async (body: object) =>
    (await operator(campaignsRoutes.createCampaign, { params, body: { ...SHARE, ...body } })).id
  const invitee = { inviteeRewardType: 'flat_fee', inviteeRewardValue: '5' }
  const campaign = await create({ name: 'Spring launch', rewardCap: '50', budget: '600', ...invitee, ...lasting(12) })
  const chosen = await create({
    name: 'Creators',
    isDefault: false,
    campaignTypePerCustomer: 'months_per_customer',
    validityMonthsPerCustomer: 6,
  })
  await create({ name: 'First hundred', rewardType: 'flat_fee', rewardValue: '20', budget: '20' })
  const resting = await create({
    name: 'Newsletter',
    rewardType: 'flat_fee',
    rewardValue: '1',
    eventKeys: ['newsletter'],
  })
  const last = await create({ name: 'Last autumn' })
  await operator(campaignsRoutes.setCampaignStatus, { params: { p, id: resting }, body: { status: 'paused' } })
  await operator(campaignsRoutes.setCampaignStatus, { params: { p, id: last }, body: { status: 'archived' } })
  const people: { id: number; link: string }[] = []
  for (const [name, amounts] of Object.entries(BOUGHT)) {
    const person = { email: `${name}@people.example`, referenceID: name }
    const { redirectURL, referrer } = await merchant(referralShopRoutes.authenticateReferrer, { body: person })
    people.push({ id: referrer.id, link: new URL(redirectURL).pathname })
    for (const [at, amount] of amounts.entries()) {
      const friend = { email: `friend-${at}.${name}@people.example`, referenceID: `${name}-friend-${at}` }
      await merchant(referralShopRoutes.linkReferee, { body: { ...friend, referrerCode: referrer.code } })
      const log = {
        eventKey: 'first_purchase',
        referenceID: friend.referenceID,
        amount,
        externalID: `order-${name}-${at}`,
      }
      await merchant(referralShopRoutes.logReferralEvent, { body: log })
    }
  }
  const [most] = people
  if (!most) throw new Error('There is no promoter')
  await operator(promotersRoutes.setPromoterCampaigns, { params: { p, id: most.id }, body: { campaignIDs: [chosen] } })
  // Nobody brought him: the log fails.
  await merchant(referralShopRoutes.logReferralEvent, {
    body: { eventKey: 'newsletter', referenceID: 'kenji.watanabe' },
  })
  await until(
    'the rewards to be counted',
    () => operator(referralEventsRoutes.listEventLogs, { params, query: { status: ['pending'] } }),
    ({ total }) => total === 0,
  )
  return { campaign, chosen, promoter: most.id, link: most.link }
}

const DAY_MS = 86_400_000

/** From today on, so many days. */
function lasting(days: number): { startDate: string; endDate: string } {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { startDate: day(Date.now()), endDate: day(Date.now() + days * DAY_MS) }
}
