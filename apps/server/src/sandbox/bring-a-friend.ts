/** A whole referral in one press (api.md X7): a promoter brings a friend, who is about to pay. */
import type { CampaignBody } from '@kassa/contract/referral/inputs.ts'
import { KASSA_PAYMENT_EVENT } from '@kassa/contract/referral/machine.ts'

import type { Context } from '../context.ts'
import { createPayment } from '../modules/payments/lifecycle/service.ts'
import { activeCampaignsOf, createCampaign } from '../modules/referral/campaigns/service.ts'
import { authenticateReferrer, linkReferee } from '../modules/referral/referrers/service.ts'

/** What the friend pays: a tenth of it is easy to see. */
const AMOUNT_USD = '50'

/** Where no campaign counts the payment yet. */
const CAMPAIGN: CampaignBody = {
  name: 'Bring a friend',
  description: 'Made by the sandbox.',
  currencyCode: 'USD',
  rewardType: 'percentage',
  rewardValue: '10',
  campaignTypePerCustomer: 'forever',
  eventKeys: [KASSA_PAYMENT_EVENT],
}

/** One promoter of each project brings all friends of the sandbox. */
const PROMOTER = { referenceID: 'sandbox-promoter', email: 'promoter@sandbox.example' }

/**
 * Makes what a reward needs, short of the money: a campaign where none counts the payment, the promoter, a friend nobody has
 * brought before, and the friend's payment.
 * @throws as `authenticateReferrer`, `linkReferee`, `createCampaign` and `createPayment`
 */
export async function bringFriend(
  ctx: Context,
  projectId: number,
): Promise<{ promoterID: number; campaignID: number; referenceID: string; promoterPage: string }> {
  const { referrer: promoter, redirectURL } = await authenticateReferrer(ctx, projectId, PROMOTER)
  const counting = (await activeCampaignsOf(ctx, promoter)).find(({ events }) =>
    events.every(({ key }) => key === KASSA_PAYMENT_EVENT),
  )
  const campaign = counting ?? (await createCampaign(ctx, projectId, CAMPAIGN))
  const customerID = `sandbox-friend-${ctx.now().getTime()}`
  const email = `${customerID}@sandbox.example`
  await linkReferee(ctx, projectId, { referenceID: customerID, email, referrerCode: promoter.code })
  const { payment } = await createPayment(ctx, projectId, {
    customerID,
    customerEmail: email,
    amountInUSD: AMOUNT_USD,
    replace: true,
  })
  return {
    promoterID: promoter.id,
    campaignID: campaign.id,
    referenceID: payment.reference,
    promoterPage: redirectURL,
  }
}
