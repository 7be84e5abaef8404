import { referralShopRoutes } from '@kassa/contract/referral/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { wrongCode } from '../../../testing/accounts/factors.ts'
import { promoterShop } from '../../../testing/referral/promoters.ts'

const DAY_SECONDS = 86_400

let app: TestApp
let shop: Awaited<ReturnType<typeof promoterShop>>

beforeAll(async () => {
  app = await testApp()
  shop = await promoterShop(app, await app.signUp())
  await shop.campaign('30')
})
afterAll(() => app.stop())
beforeEach(() => sql`DELETE FROM rate_buckets`.execute(app.ctx.db))

type Promoter = Awaited<ReturnType<typeof shop.promoter>>

const earner = async () => {
  const one = await shop.promoter()
  await shop.earn(one, 2)
  return one
}
/** As if so many minutes had passed since each code was requested. */
const pass = (minutes: number) =>
  sql`UPDATE referral_codes SET created_at = created_at - make_interval(secs => ${minutes * 60})`.execute(app.ctx.db)
/** Asks for so many codes, three in ten minutes. */
const askFor = async (one: Pick<Promoter, 'askCode'>, times: number) => {
  for (let asked = 1; asked <= times; asked += 1) {
    expect((await one.askCode()).status).toBe(200)
    if (asked % 3 === 0) await pass(11)
  }
}
/** Types so many wrong codes. */
const mistype = async (one: Promoter, times: number) => {
  for (let typed = 0; typed < times; typed += 5) {
    const otpCode = wrongCode(await one.otp())
    await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
    for (let n = 0; n < 5; n += 1) expect((await one.withdraw({ otpCode })).refusal?.code).toBe('OTP_INVALID')
    await pass(11)
  }
}
/** Another promoter of the same mailbox. */
const neighbour = async ({ email, referenceID }: Promoter, tag = '2') => {
  const body = { email: email.replace('@', `+${tag}@`).toUpperCase(), referenceID: `${referenceID}-${tag}` }
  const { redirectURL } = (await app.call(referralShopRoutes.authenticateReferrer, { body }, { key: shop.apiKey })).body
  return shop.pageOf(redirectURL.split('/referral/')[1] ?? '')
}
/** As if another promoter had been mailed so many codes of today to the mailbox of one. */
const fill = async (one: Promoter, codes: number) => {
  const other = await neighbour(one, 'other')
  expect((await other.askCode()).status).toBe(200)
  await sql`
    INSERT INTO referral_codes (referrer_id, token_id, email, created_at, expires_at, ended_at)
    SELECT referrer_id, token_id, email, created_at, expires_at, created_at
    FROM (SELECT * FROM referral_codes ORDER BY id DESC LIMIT 1) AS code, generate_series(2, ${codes}::int)`.execute(
    app.ctx.db,
  )
}
/** The seconds to wait, where a call is refused for being one too many. */
const waits = (answer: Awaited<ReturnType<Promoter['askCode']>> | Awaited<ReturnType<Promoter['withdraw']>>) => {
  expect(answer.refusal?.code).toBe('RATE_LIMITED')
  const seconds = Number(answer.headers['retry-after'])
  expect(answer.refusal?.data).toEqual({ seconds })
  return seconds
}

describe('U4, U5: codes of a day', () => {
  it('are mailed ten times: RATE_LIMITED with the time until the first is a day old', async () => {
    const one = await earner()
    await askFor(one, 10)
    await pass(30)
    const seconds = waits(await one.askCode())
    expect(seconds).toBeGreaterThan(DAY_SECONDS - 70 * 60)
    expect(seconds).toBeLessThanOrEqual(DAY_SECONDS - 63 * 60)
    await pass(seconds / 60)
    expect((await one.askCode()).status).toBe(200)
  })

  it('still reach a promoter whose mailbox others name, until these have used up thirty', async () => {
    const one = await earner()
    for (const tag of ['a', 'b', 'c']) await askFor(await neighbour(one, tag), 10)
    expect((await one.askCode()).status).toBe(200)
    expect((await one.askCode()).status).toBe(200)
    expect(waits(await one.askCode())).toBeGreaterThan(DAY_SECONDS - 120 * 60)
  })

  it('are mailed a hundred times to one mailbox, however many of its promoters ask at the same moment', async () => {
    const one = await shop.promoter()
    const others = []
    for (let n = 0; n < 8; n += 1) others.push(await neighbour(one, String(n)))
    await fill(one, 95)
    const answers = await Promise.all(others.map((other) => other.askCode()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ refusal }) => refusal?.code === 'RATE_LIMITED')).toHaveLength(3)
  })

  it('still reach a promoter who has withdrawn before, whoever else names their mailbox', async () => {
    const one = await earner()
    expect((await one.withdraw({ otpCode: await one.otp() })).status).toBe(201)
    await fill(one, 100)
    expect((await (await neighbour(one)).askCode()).refusal?.code).toBe('RATE_LIMITED')
    expect((await one.askCode()).status).toBe(200)
    // Not once they have another address, which they have not shown to be theirs.
    await sql`UPDATE referrers SET email_changed_at = ${app.ctx.now()} WHERE id = ${one.id}`.execute(app.ctx.db)
    expect((await one.askCode()).refusal?.code).toBe('RATE_LIMITED')
  })

  it('may be mistyped twenty times: RATE_LIMITED, also for the right one', async () => {
    const one = await earner()
    await mistype(one, 20)
    const otpCode = await one.otp()
    const seconds = waits(await one.withdraw({ otpCode }))
    expect(seconds).toBeGreaterThan(DAY_SECONDS - 50 * 60)
    const other = await neighbour(one)
    expect((await other.withdraw({ otpCode: await other.otp() })).refusal?.code).not.toBe('RATE_LIMITED')
    await pass(seconds / 60)
    expect((await one.withdraw({ otpCode: await one.otp() })).status).toBe(201)
  })
})
