/** Promoters of a shop, with rewards they earned through the wire, and what they do on their page. */
import { randomBytes } from 'node:crypto'

import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { promoterPageRoutes } from '@kassa/contract/referral/page-routes.ts'
import {
  campaignsRoutes,
  referralEventsRoutes,
  referralPayoutsRoutes,
  referralShopRoutes,
} from '@kassa/contract/referral/routes.ts'
import { sql } from 'kysely'

import { asSystem } from '../../context.ts'
import { sandboxEmails } from '../../modules/mail/service.ts'
import { countLog } from '../../modules/referral/counting/service.ts'
import { mailWithdrawalCodeJob } from '../../modules/referral/page/codes.ts'
import type { TestApp } from '../app.ts'
import { PAYEE, payoutShop } from '../money-out/payouts.ts'

const WEBSITE = 'https://shop.example'

type Withdrawal = NonNullable<RouteCall<typeof promoterPageRoutes.withdrawRewards>['body']>

/** A shop with a campaign for all promoters that gives so much for each sign-up. */
export async function promoterShop(app: TestApp, root: string, name = 'Shop') {
  const shop = await payoutShop(app, root, name)
  const { p, apiKey } = shop
  await app.call(projectsRoutes.changeProject, { params: { p }, body: { website: WEBSITE } }, { key: root })
  const event = await app.call(
    referralEventsRoutes.createReferralEvent,
    { params: { p }, body: { key: 'signup', name: 'Sign-up', eventType: 'simple' } },
    { key: root },
  )
  if (event.status !== 201) throw new Error(event.text)

  /** A campaign that gives a promoter an amount of a currency for each sign-up. */
  const campaign = async (rewardValue: string, currencyCode = 'USD') => {
    const terms = { rewardType: 'flat_fee', rewardValue, campaignTypePerCustomer: 'forever', isDefault: true }
    const body = { name: `${rewardValue} ${currencyCode}`, currencyCode, eventKeys: ['signup'], ...terms }
    const made = await app.call(campaignsRoutes.createCampaign, { params: { p }, body }, { key: root })
    if (made.status !== 201) throw new Error(made.text)
    return made.body.id
  }

  /** A promoter with a page, who has referred a customer. */
  const promoter = async () => {
    const referenceID = randomBytes(6).toString('hex')
    const email = `${referenceID}@people.example`
    const open = () =>
      app.call(referralShopRoutes.authenticateReferrer, { body: { email, referenceID } }, { key: apiKey })
    const { redirectURL, referrer } = (await open()).body
    const refereeReference = `${referenceID}-friend`
    await app.call(
      referralShopRoutes.linkReferee,
      { body: { email: `f-${email}`, referenceID: refereeReference, referrerCode: referrer.code } },
      { key: apiKey },
    )
    return {
      ...pageOf(redirectURL.split('/referral/')[1] ?? ''),
      id: referrer.id,
      code: referrer.code,
      email,
      referenceID,
      refereeReference,
      open,
    }
  }

  /** A referred customer signs up so many times. */
  const earn = async ({ refereeReference }: { readonly refereeReference: string }, times = 1) => {
    for (let n = 0; n < times; n += 1) {
      const externalID = randomBytes(8).toString('hex')
      const body = { eventKey: 'signup', referenceID: refereeReference, externalID }
      const { id } = (await app.call(referralShopRoutes.logReferralEvent, { body }, { key: apiKey })).body
      await countLog(asSystem(app.ctx), BigInt(id))
    }
  }

  /** What a promoter does with the token of their page. */
  const pageOf = (token: string) => {
    const headers = { 'referral-token': token }
    const askCode = () => app.call(promoterPageRoutes.sendWithdrawalCode, {}, { headers })
    return {
      token,
      headers,
      askCode,
      /** Asks for a code and reads it from the mail. */
      otp: async () => {
        const asked = await askCode()
        if (asked.status !== 200) throw new Error(asked.text)
        return mailedCode(app)
      },
      read: () => app.call(promoterPageRoutes.getPromoterPage, {}, { headers }),
      rewards: () => app.call(promoterPageRoutes.listOwnRewards, {}, { headers }),
      withdrawals: () => app.call(promoterPageRoutes.listOwnWithdrawals, {}, { headers }),
      withdraw: (body: Partial<Withdrawal> & { readonly otpCode: string }, more = {}) =>
        app.call(
          promoterPageRoutes.withdrawRewards,
          { body: { amount: '20', currencyCode: 'USDC', blockchainCode: 'ETH', toAddress: PAYEE, ...body } },
          { headers: { ...headers, ...more } },
        ),
    }
  }

  const payouts = (query: object = {}, key = root) =>
    app.call(referralPayoutsRoutes.listReferralPayouts, { params: { p }, query }, { key })
  return { ...shop, campaign, promoter, earn, pageOf, payouts }
}

/** Does the queued work and returns the code in the newest mail. */
async function mailedCode(app: TestApp): Promise<string> {
  const { rows } = await sql<{ data: { codeId: string } }>`
    SELECT data FROM pgboss.job WHERE name = ${mailWithdrawalCodeJob.queue} ORDER BY created_on`.execute(app.ctx.db)
  const data = rows.at(-1)?.data
  if (!data) throw new Error('No code was asked for')
  await mailWithdrawalCodeJob.run(asSystem(app.ctx), data)
  const [mail] = await sandboxEmails(app.ctx)
  return /Code: (\d{6})/.exec(JSON.stringify(mail?.message))?.[1] ?? ''
}

/** What a promoter's accounts hold, in millionths of a currency of rewards: ready and under way. */
export async function promoterBooks(app: TestApp, id: number): Promise<{ payable: bigint; held: bigint }> {
  const { rows } = await sql<{ kind: string; units: string }>`
    SELECT kind, sum(credits - debits)::text AS units FROM accounts
    WHERE owner_key = ${`referrer:${id}`} GROUP BY kind`.execute(app.ctx.db)
  const of = (kind: string) => BigInt(rows.find((row) => row.kind === kind)?.units ?? 0)
  return { payable: of('referral:payable'), held: of('referral:held') }
}
