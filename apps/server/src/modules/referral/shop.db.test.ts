import type { AddressInfo } from 'node:net'

import { promoterPageRoutes } from '@kassa/contract/referral/page-routes.ts'
import { promotersRoutes, referralShopRoutes } from '@kassa/contract/referral/routes.ts'
import { isPayramSDKError, Payram } from 'payram'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { testApp } from '../../testing/app.ts'
import { ASSET, dollars, openCashier } from '../../testing/cashier.ts'
import { fakeChain } from '../../testing/fake-chain.ts'
import { openProgramme, type ProgrammeTest, programmeTest } from '../../testing/referral/programme.ts'
import { openShop } from '../../testing/shop.ts'

let test: ProgrammeTest

beforeAll(async () => {
  test = await programmeTest()
})
afterAll(() => test.app.stop())
beforeEach(() => test.forgetRates())
const DAY = 86_400_000

describe('referral through the published client', () => {
  const client = () => {
    const baseUrl = `http://127.0.0.1:${(test.app.http.server.address() as AddressInfo).port}`
    return new Payram({
      apiKey: test.shop.apiKey,
      baseUrl,
      config: { allowInsecureHttp: true, maxRetries: 0, timeoutMs: 10_000 },
    })
  }
  const refused = async (work: Promise<unknown>) => {
    const error: unknown = await work.catch((thrown: unknown) => thrown)
    return isPayramSDKError(error) ? [error.status, error.error ?? error.message] : [0, String(error)]
  }

  it('signs a promoter in, links a customer and logs what they do', async () => {
    await test.app.http.listen({ port: 0, host: '127.0.0.1' })
    const payram = client()
    const { redirectURL, referrer } = await payram.referrals.authenticateReferrer({
      email: 'ann@example.com',
      referenceID: 'ann',
    })
    expect(redirectURL).toMatch(/^https:\/\/pay\.shop\.example\/referral\/kref_[\w-]{43}$/)
    expect(referrer).toMatchObject({
      referenceId: 'ann',
      status: 'active',
      code: expect.stringMatching(/^[A-Z2-9]{7}$/),
    })
    expect(referrer.createdAt).toBeInstanceOf(Date)
    const token = redirectURL.split('/').at(-1) ?? ''
    const headers = { 'referral-token': token }
    const page = await test.app.call(promoterPageRoutes.getPromoterPage, {}, { headers })
    expect(page.body.referrer.code).toBe(referrer.code)
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

describe('referral.authenticateReferrer', () => {
  const body = { email: 'ann@example.com', referenceID: 'ann' }

  it('is for the key of a project: PROJECT_CONTEXT_MISSING', async () => {
    const asked = await test.app.call(referralShopRoutes.authenticateReferrer, { body }, { key: test.root })
    expect([asked.status, JSON.parse(asked.text)]).toEqual([
      404,
      expect.objectContaining({ error: 'PROJECT_CONTEXT_MISSING' }),
    ])
  })

  it('needs the address of the page: SITE_URL_MISSING', async () => {
    const bare = await testApp({ config: { siteUrl: null } })
    const { apiKey } = await openShop(bare, await bare.signUp())
    const asked = await bare.call(referralShopRoutes.authenticateReferrer, { body }, { key: apiKey })
    expect(asked.refusal?.code).toBe('SITE_URL_MISSING')
    await bare.stop()
  })
})

describe('referral.linkReferee', () => {
  const codeOf = async (name: string, email?: string) => (await test.programme.signIn(name, email)).body.referrer.code
  const codes = async (answer: ReturnType<typeof test.programme.link>) => (await answer).refusal?.code

  it('gives the same link again, and no other: REFERRAL_LINKED_ALREADY', async () => {
    const [one, two] = [await codeOf('link-one'), await codeOf('link-two')]
    const first = await test.programme.link('linked', one)
    expect((await test.programme.link('linked', one)).body.id).toBe(first.body.id)
    expect(await codes(test.programme.link('linked', two))).toBe('REFERRAL_LINKED_ALREADY')
  })

  it('refuses oneself: by reference, e-mail in any case, and in a ring of three', async () => {
    const code = await codeOf('self', 'Self@Example.com')
    expect(await codes(test.programme.link('self', code))).toBe('REFERRAL_SELF')
    expect(await codes(test.programme.link('self-2', code, 'SELF@example.COM'))).toBe('REFERRAL_SELF')
    expect(await codes(test.programme.link('self-4', code, 'self+friend@example.com'))).toBe('REFERRAL_SELF')
    // Known by the promoter's e-mail, and linked by another one.
    await test.programme.signIn('self-3', 'self@example.com')
    expect(await codes(test.programme.link('self-3', code, 'other@example.com'))).toBe('REFERRAL_SELF')
    const [a, b, c] = [await codeOf('ring-a'), await codeOf('ring-b'), await codeOf('ring-c')]
    expect((await test.programme.link('ring-b', a)).status).toBe(200)
    expect((await test.programme.link('ring-c', b)).status).toBe(200)
    expect(await codes(test.programme.link('ring-a', c))).toBe('REFERRAL_SELF')
  })

  it('refuses a customer who pays from the wallet of the promoter: REFERRAL_SELF', async () => {
    const code = await codeOf('wallet-1')
    const cashier = openCashier(test.app, test.shop)
    const chain = await fakeChain(test.app.ctx, 1)
    for (const [customer, from] of [
      ['wallet-1', '0xabc0000000000000000000000000000000000001'],
      ['wallet-2', '0xabc0000000000000000000000000000000000001'],
      ['wallet-3', '0xabc0000000000000000000000000000000000003'],
    ] as const) {
      const { to } = await cashier.newPayment({ customer })
      await chain.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100), from }])
    }
    expect((await test.programme.link('wallet-2', code)).refusal).toMatchObject({
      code: 'REFERRAL_SELF',
      details: 'The customer and the promoter pay from one wallet.',
    })
    expect((await test.programme.link('wallet-3', code)).status).toBe(200)
  })

  it('accepts no code of another project, and none of an inactive promoter', async () => {
    const foreign = (await openProgramme(test.app, test.other, test.root).signIn('foreign')).body.referrer
    expect(await codes(test.programme.link('somebody', foreign.code))).toBe('REFERRER_NOT_FOUND')
    const { referrer } = (await test.programme.signIn('idle')).body
    const params = { p: test.shop.p, id: referrer.id }
    const set = (status: 'active' | 'inactive') =>
      test.app.call(promotersRoutes.setPromoterStatus, { params, body: { status } }, { key: test.root })
    expect((await set('inactive')).body.status).toBe('inactive')
    expect((await set('inactive')).refusal?.code).toBe('REFERRER_STATUS_SAME')
    expect(await codes(test.programme.link('somebody', referrer.code))).toBe('REFERRER_INACTIVE')
    expect((await test.programme.signIn('idle')).refusal?.code).toBe('REFERRER_INACTIVE')
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
    const { status, refusal, text: raw } = await test.programme.log('bob', more)
    expect([status, refusal?.code, refusal?.fields]).toEqual([422, 'REFERRAL_INVALID', { amount: text }])
    expect(JSON.parse(raw)).toMatchObject({ error: 'REFERRAL_INVALID', message: text })
  })

  it('refuses the event that Kassa logs itself, unknown customers, and payments that are not there', async () => {
    const code = async (answer: ReturnType<typeof test.programme.log>) => (await answer).refusal?.code
    expect((await test.programme.log('bob', { eventKey: 'kassa_payment', amount: '5' })).refusal?.fields).toEqual({
      eventKey: 'Kassa logs this event itself',
    })
    expect(await code(test.programme.log('nobody', { amount: '5' }))).toBe('REFERRER_NOT_FOUND')
    expect(await code(test.programme.log('bob', { referenceOfPayment: 'x' }))).toBe('PAYMENT_NOT_FOUND')
  })

  it('logs one event of an external id, also a month later: REFERRAL_EVENT_DUPLICATE', async () => {
    const log = () => test.programme.log('bob', { amount: '5', externalID: 'order-1' })
    const answers = await Promise.all([log(), log(), log()])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    test.pass(31 * DAY)
    expect((await log()).refusal?.code).toBe('REFERRAL_EVENT_DUPLICATE')
    // The session of the operator has run out by then.
    test.pass(-31 * DAY)
  })

  it('shows a promoter with what they earned (R4)', async () => {
    const read = await test.app.call(
      referralShopRoutes.getReferrer,
      { query: { referenceID: 'ann' } },
      { key: test.shop.apiKey },
    )
    expect(read.body).toMatchObject({ referenceId: 'ann', refereeCount: 1, totalRewards: '0', available: '0' })
    const missing = await test.app.call(
      referralShopRoutes.getReferrer,
      { query: { referenceID: 'nobody' } },
      { key: test.shop.apiKey },
    )
    expect(missing.refusal?.code).toBe('REFERRER_NOT_FOUND')
  })
})
