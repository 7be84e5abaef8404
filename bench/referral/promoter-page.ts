/** What a promoter's phone is sent, and how soon it shows it. */
import { campaignsRoutes, referralEventsRoutes, referralShopRoutes } from '@kassa/contract/referral/routes.ts'

import { newProfile } from '../harness/busy-shop.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import { type FirstView, firstView } from '../harness/lighthouse.ts'
import { median } from '../harness/quantile.ts'
import { openSetup } from '../harness/setup.ts'

/** Other work of the machine slows a page down at times: the middle one counts. */
const LOOKS = 3

export const promoterPage: Measurement = { name: 'referral page', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const { instance, shop } = await openSetup(cleanup)
  const params = { p: shop.project }
  const event = { key: 'order', name: 'Order', eventType: 'payment' } as const
  await shop.operator(referralEventsRoutes.createReferralEvent, { params, body: event })
  const campaign = {
    ...{ name: 'Spring', currencyCode: 'USD', eventKeys: ['order'], campaignTypePerCustomer: 'forever' as const },
    ...{ rewardType: 'percentage' as const, rewardValue: '10' },
  }
  await shop.operator(campaignsRoutes.createCampaign, { params, body: campaign })
  const person = { email: 'p@mail.example', referenceID: 'p' }
  const { redirectURL } = await shop.merchant(referralShopRoutes.authenticateReferrer, { body: person })
  const views: FirstView[] = []
  for (let look = 0; look < LOOKS; look += 1) {
    // A browser that was there before has the connection and the icon.
    const { context, port } = await newProfile(cleanup)
    views.push(await firstView(instance.url + new URL(redirectURL).pathname, port))
    await context.close()
  }
  return [
    {
      name: "all of a promoter's page",
      value: median(views.map(({ bytes }) => bytes)) / 1000,
      unit: 'kB',
      limit: { name: 'budget', value: 25 },
    },
    {
      name: "largest paint of a promoter's page, phone on slow 4G",
      value: median(views.map(({ largestPaintMs }) => largestPaintMs)),
      unit: 'ms',
      limit: { name: 'goal', value: 1_200 },
    },
  ]
}
