import { createHash } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'

import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { promotersRoutes, referralPayoutsRoutes } from '@kassa/contract/referral/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { setSandboxPrice } from '../../prices/service.ts'
import { addHotWallet, findHotWallet } from '../../wallets/hot/service.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { wrongCode } from '../../../testing/accounts/factors.ts'
import { OTHER_PAYEE, PAYEE } from '../../../testing/money-out/payouts.ts'
import { promoterBooks, promoterShop } from '../../../testing/referral/promoters.ts'

let app: TestApp
let root: string
let shop: Awaited<ReturnType<typeof promoterShop>>

beforeAll(async () => {
  app = await testApp()
  root = await app.signUp()
  shop = await promoterShop(app, root)
  await shop.campaign('30')
})
afterAll(() => app.stop())
beforeEach(() => sql`DELETE FROM rate_buckets`.execute(app.ctx.db))

/** A promoter who earned 60 US dollars. */
const earner = async () => {
  const one = await shop.promoter()
  await shop.earn(one, 2)
  return one
}
const setStatus = (id: number, status: 'active' | 'inactive') =>
  app.call(promotersRoutes.setPromoterStatus, { params: { p: shop.p, id }, body: { status } }, { key: root })

describe('U1, U2, U3: what a promoter reads', () => {
  it('is their code, link, campaigns and totals', async () => {
    const one = await earner()
    const { status, body, headers } = await one.read()
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(body).toMatchObject({
      referrer: { code: one.code, status: 'active', link: `https://shop.example/?ref=${one.code}` },
      project: { name: 'Shop' },
      totals: { currencyCode: 'USD', earned: '60', available: '60', held: '0', paid: '0' },
      refereeCount: 1,
      minWithdrawal: '10.00',
    })
    expect(body.referrer.email).not.toBe(one.email)
    expect(body.campaigns).toMatchObject([{ name: '30 USD', rewardText: '30 USD', inviteeRewardText: null }])
    expect(body.payableIn).toContainEqual(expect.objectContaining({ currencyCode: 'USDC', blockchainCode: 'ETH' }))
  })

  it('shows only their own rewards and withdrawals', async () => {
    const [one, other] = [await earner(), await earner()]
    await one.withdraw({ otpCode: await one.otp() })
    const { body } = await one.rewards()
    expect(body.data.map(({ amount, status, currencyCode }) => [amount, status, currencyCode])).toEqual([
      ['30', 'pending', 'USD'],
      ['30', 'held', 'USD'],
    ])
    expect(JSON.stringify(body)).not.toContain(`f-${one.email}`)
    expect((await one.withdrawals()).body.data).toMatchObject([
      { rewardAmount: '20', amount: null, toAddress: PAYEE, status: 'pending-approval' },
    ])
    expect((await other.withdrawals()).body.total).toBe(0)
  })

  it('is one page of at most 25 kB, which runs no script but its own', async () => {
    const one = await earner()
    const answers = await Promise.all([
      app.http.inject({ url: `/referral/${one.token}`, headers: { 'accept-encoding': 'gzip, br' } }),
      app.http.inject({ url: '/referral', headers: { 'accept-encoding': 'br', 'referral-token': one.token } }),
    ])
    for (const { statusCode, headers, rawPayload } of answers) {
      expect([statusCode, headers['content-encoding'], headers['cache-control']]).toEqual([200, 'br', 'no-store'])
      expect(rawPayload.length).toBeLessThan(25_000)
      const html = brotliDecompressSync(rawPayload).toString()
      expect(html).toContain(one.code)
      const [, script] = /<script>(.*?)<\/script>/s.exec(html) ?? []
      const hash = script && createHash('sha256').update(script).digest('base64')
      const allowed = hash === undefined ? "'none'" : `'sha256-${hash}'`
      expect(String(headers['content-security-policy']).split('; ')).toContain(`script-src ${allowed}`)
    }
  })

  it('needs the token of a link that is still good: REFERRAL_TOKEN_INVALID', async () => {
    const one = await earner()
    const refused = async (token: string) => (await shop.pageOf(token).read()).refusal
    expect(await refused('kref_nobody')).toMatchObject({
      code: 'REFERRAL_TOKEN_INVALID',
      message: 'This link has expired. Open it again from the shop.',
    })
    await sql`UPDATE referral_tokens SET expires_at = now() - interval '1 second' WHERE referrer_id = ${one.id}`.execute(
      app.ctx.db,
    )
    expect((await refused(one.token))?.code).toBe('REFERRAL_TOKEN_INVALID')
  })
})

describe('U4: the code', () => {
  it('is mailed to the promoter three times in ten minutes: RATE_LIMITED', async () => {
    const one = await earner()
    for (let sent = 0; sent < 3; sent += 1) expect((await one.askCode()).status).toBe(200)
    const { status, refusal, headers } = await one.askCode()
    expect([status, refusal?.code, headers['retry-after']]).toEqual([
      429,
      'RATE_LIMITED',
      expect.stringMatching(/^\d+$/),
    ])
  })

  it('is for active promoters: REFERRER_INACTIVE', async () => {
    const one = await earner()
    await setStatus(one.id, 'inactive')
    expect((await one.askCode()).refusal?.code).toBe('REFERRER_INACTIVE')
  })

  it('needs a mail server: SMTP_NOT_CONFIGURED', async () => {
    const one = await earner()
    const { config } = app.ctx
    Object.assign(config, { network: 'testnet' })
    const answer = await one.askCode()
    Object.assign(config, { network: 'sandbox' })
    expect(answer.refusal?.code).toBe('SMTP_NOT_CONFIGURED')
  })

  it('is invalid after the fifth wrong try: OTP_INVALID, OTP_EXPIRED', async () => {
    const one = await earner()
    const otpCode = await one.otp()
    for (let left = 4; left >= 0; left -= 1) {
      const { status, refusal } = await one.withdraw({ otpCode: wrongCode(otpCode) })
      expect([status, refusal?.code, refusal?.data]).toEqual([400, 'OTP_INVALID', { triesLeft: left }])
    }
    const { status, refusal } = await one.withdraw({ otpCode })
    expect([status, refusal?.code]).toEqual([410, 'OTP_EXPIRED'])
    expect(await promoterBooks(app, one.id)).toEqual({ payable: 60_000_000n, held: 0n })
  })

  it('expires, is replaced by the next one, and works on no other page', async () => {
    const one = await earner()
    const first = await one.otp()
    await sql`UPDATE referral_codes SET expires_at = now() - interval '1 second' WHERE referrer_id = ${one.id}`.execute(
      app.ctx.db,
    )
    expect((await one.withdraw({ otpCode: first })).refusal?.code).toBe('OTP_EXPIRED')
    const second = await one.otp()
    const again = shop.pageOf((await one.open()).body.redirectURL.split('/referral/')[1] ?? '')
    expect((await again.withdraw({ otpCode: second })).refusal?.code).toBe('OTP_INVALID')
    expect((await one.withdraw({ otpCode: second })).status).toBe(201)
    expect((await one.withdraw({ otpCode: second })).refusal?.code).toBe('OTP_EXPIRED')
  })
})

describe('U5: a withdrawal', () => {
  it('holds the oldest rewards and waits for a person', async () => {
    const one = await earner()
    const { status, body } = await one.withdraw({ amount: '40.0000000', otpCode: await one.otp() })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      rewardAmount: '40',
      rewardCurrencyCode: 'USD',
      amount: null,
      currencyCode: 'USDC',
      blockchainCode: 'ETH',
      status: 'pending-approval',
    })
    expect(await promoterBooks(app, one.id)).toEqual({ payable: 20_000_000n, held: 40_000_000n })
    const { rows } = await sql<{ units: string }>`
      SELECT units::text AS units FROM reward_settlements WHERE withdrawal_id = ${body.id} ORDER BY reward_id`.execute(
      app.ctx.db,
    )
    expect(rows.map(({ units }) => units)).toEqual(['30000000', '10000000'])
    const { rows: entries } = await sql<{ posting: string }>`
      SELECT posting FROM journal_entries WHERE source_key LIKE ${`reward-payout:${body.id}:%`}`.execute(app.ctx.db)
    expect(entries).toEqual([{ posting: 'reward.hold' }])
  })

  it('is sent again with the same answer under its idempotency key', async () => {
    const one = await earner()
    const otpCode = await one.otp()
    const twice = [1, 2].map(() => () => one.withdraw({ otpCode }, { 'idempotency-key': `w-${one.id}` }))
    const [first, second] = [await twice[0]?.(), await twice[1]?.()]
    expect([second?.body.id, second?.headers['idempotency-replayed']]).toEqual([first?.body.id, 'key'])
    expect((await one.withdrawals()).body.total).toBe(1)
  })

  it.each([
    ['less than the minimum', { amount: '9.99' }, 'WITHDRAWAL_BELOW_MINIMUM', 'The smallest withdrawal is $10.00.'],
    ['more than is ready', { amount: '60.000001' }, 'INSUFFICIENT_FUNDS', 'Only 60 USD is available.'],
    ['rewards of a currency without any', { rewardCurrencyCode: 'USDC' }, 'INSUFFICIENT_FUNDS', null],
    ['rewards of a currency without rewards', { rewardCurrencyCode: 'EUR' }, 'VALIDATION_FAILED', null],
    ['an amount that is none', { amount: '1e3' }, 'VALIDATION_FAILED', null],
    ['an address of another network', { toAddress: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf' }, 'ADDRESS_INVALID', null],
    ['the zero address', { toAddress: `0x${'0'.repeat(40)}` }, 'ADDRESS_BLOCKED', null],
    ['a coin that is not paid out', { currencyCode: 'NOPE' }, 'ASSET_NOT_PAYABLE', null],
    ['a network that does not run', { blockchainCode: 'POLYGON' }, 'ASSET_NOT_PAYABLE', null],
  ])('refuses %s', async (_what, body, code, message) => {
    const one = await earner()
    const otpCode = await one.otp()
    const { refusal } = await one.withdraw({ ...body, otpCode })
    expect(refusal).toMatchObject({ code, ...(message !== null && { message }) })
    // The code is not used up by what was refused.
    expect((await one.withdraw({ otpCode })).status).toBe(201)
  })

  it('refuses our own addresses and those of tokens: ADDRESS_IS_OURS, ADDRESS_BLOCKED', async () => {
    const one = await earner()
    const otpCode = await one.otp()
    const token = await sql<{ address: string }>`
      SELECT address FROM assets WHERE currency_code = 'USDC' AND blockchain_id = 1`.execute(app.ctx.db)
    const to = (toAddress: string) => one.withdraw({ toAddress, otpCode })
    expect((await to(token.rows[0]?.address ?? '')).refusal?.code).toBe('ADDRESS_BLOCKED')
    const ctx = asSystem(app.ctx)
    await addHotWallet(ctx, { family: 'ETH_Family', name: 'Payouts', generate: true, functions: ['payout'] })
    const wallet = await findHotWallet(ctx, { blockchainId: 1, purpose: 'payout' })
    expect((await to(wallet?.address ?? '')).refusal?.code).toBe('ADDRESS_IS_OURS')
  })

  it('keeps within the limits of the coin, and needs its price: AMOUNT_OUT_OF_RANGE, RATE_UNAVAILABLE', async () => {
    const one = await earner()
    const otpCode = await one.otp()
    await sql`UPDATE assets SET min_withdraw_units = 50000000 WHERE currency_code = 'USDC'`.execute(app.ctx.db)
    expect((await one.withdraw({ otpCode })).refusal?.code).toBe('AMOUNT_OUT_OF_RANGE')
    await sql`UPDATE assets SET min_withdraw_units = NULL WHERE currency_code = 'USDC'`.execute(app.ctx.db)
    await setSandboxPrice(app.ctx, { currencyCode: 'USDC', price: '0.9' })
    expect((await one.withdraw({ otpCode })).refusal?.code).toBe('RATE_UNAVAILABLE')
    await setSandboxPrice(app.ctx, { currencyCode: 'USDC', price: null })
  })

  it('is for active promoters and shops: REFERRER_INACTIVE, PROJECT_ARCHIVED', async () => {
    const one = await earner()
    const otpCode = await one.otp()
    await setStatus(one.id, 'inactive')
    expect((await one.withdraw({ otpCode })).refusal?.code).toBe('REFERRER_INACTIVE')
    expect((await one.read()).body.referrer.status).toBe('inactive')
    await setStatus(one.id, 'active')
    await sql`UPDATE projects SET status = 'archived' WHERE id = ${shop.projectId}`.execute(app.ctx.db)
    expect((await one.withdraw({ otpCode })).refusal?.code).toBe('PROJECT_ARCHIVED')
    await sql`UPDATE projects SET status = 'active' WHERE id = ${shop.projectId}`.execute(app.ctx.db)
  })

  it(
    'accepts a code once, for any number of concurrent requests, and never pays more than is owed',
    { timeout: 120_000 },
    async () => {
      const one = await earner()
      const otpCode = await one.otp()
      const answers = await Promise.all(Array.from({ length: 100 }, () => one.withdraw({ amount: '10', otpCode })))
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      expect(await promoterBooks(app, one.id)).toEqual({ payable: 50_000_000n, held: 10_000_000n })
    },
  )

  it('says to whom it is asked for: a mail with nothing but the code', async () => {
    const one = await earner()
    await one.otp()
    const { rows } = await sql<{ recipient: string; text: string }>`
      SELECT recipient, message::text AS text FROM sandbox_emails ORDER BY id DESC LIMIT 1`.execute(app.ctx.db)
    expect(rows[0]?.recipient).toBe(one.email)
    expect(rows[0]?.text).not.toContain(one.token)
  })
})

describe('the token', () => {
  it('is in no log, no row and no entry of the activity log', async () => {
    const one = await earner()
    await app.http.inject({
      url: `/referral/${one.token}`,
      headers: { referer: `http://localhost:8080/referral/${one.token}` },
    })
    await app.http.inject({
      url: '/api/v1/referral/referrers/withdrawals/otp',
      method: 'POST',
      headers: { ...one.headers, host: 'localhost', referer: `http://localhost:8080/referral/${one.token}` },
    })
    expect(app.logLines.join('')).not.toContain(one.token)
    const { rows } = await sql<{
      text: string
    }>`SELECT to_jsonb(entry)::text AS text FROM audit_entries AS entry`.execute(app.ctx.db)
    expect(rows.map(({ text }) => text).join('')).not.toContain(one.token)
  })

  it('lives on while it is used', async () => {
    const one = await earner()
    await sql`UPDATE referral_tokens SET expires_at = now() + interval '1 hour' WHERE referrer_id = ${one.id}`.execute(
      app.ctx.db,
    )
    await one.read()
    const { rows } = await sql<{ hours: number }>`
      SELECT extract(epoch FROM expires_at - now()) / 3600 AS hours FROM referral_tokens WHERE referrer_id = ${one.id}`.execute(
      app.ctx.db,
    )
    expect(Number(rows[0]?.hours)).toBeGreaterThan(23)
  })
})

describe('the page', () => {
  const open = (url: string, headers = {}) => app.http.inject({ url, headers })
  const policyOf = (headers: Record<string, unknown>) => String(headers['content-security-policy']).split('; ')

  it('is drawn whole without a script, for the link and for its script', async () => {
    const one = await earner()
    const { statusCode, payload, headers } = await open(`/referral/${one.token}`)
    expect([statusCode, headers['cache-control'], headers['referrer-policy']]).toEqual([200, 'no-store', 'no-referrer'])
    for (const text of ['Your referrals', one.code, '60', 'Withdraw', '30 USD']) expect(payload).toContain(text)
    const again = await open('/referral', { 'referral-token': one.token })
    expect(again.payload).not.toContain(one.token)
    expect(again.payload).toContain(one.code)
  })

  it('is framed by the shop’s own origin alone', async () => {
    const one = await earner()
    const framed = await open(`/referral/${one.token}`)
    expect(policyOf(framed.headers)).toContain('frame-ancestors https://shop.example')
    expect(framed.headers['x-frame-options']).toBeUndefined()
    const website = (text: string) =>
      app.call(projectsRoutes.changeProject, { params: { p: shop.p }, body: { website: text } }, { key: root })
    await website('')
    const alone = await open(`/referral/${one.token}`)
    expect(policyOf(alone.headers)).toContain("frame-ancestors 'none'")
    expect(alone.headers['x-frame-options']).toBe('DENY')
    await website('https://shop.example')
  })

  it('says that a link has expired, in the language of the browser', async () => {
    const { statusCode, payload } = await open('/referral/kref_nobody', { 'accept-language': 'de' })
    expect([statusCode, payload]).toEqual([401, expect.stringContaining('Dieser Link ist abgelaufen.')])
    expect((await open('/referral')).statusCode).toBe(401)
  })
})

describe('G17, G20: what operators read', () => {
  it('lists withdrawals with who asked, of what, and where it goes', async () => {
    const one = await earner()
    const { id } = (await one.withdraw({ toAddress: OTHER_PAYEE, otpCode: await one.otp() })).body
    const { body } = await shop.payouts({ limit: 1 })
    expect(body.data).toMatchObject([
      {
        id,
        type: 'withdrawal',
        createdBy: 'system',
        referrer: { id: one.id, code: one.code, email: one.email },
        rewardAmount: '20',
        rewardCurrencyCode: 'USD',
        availableBefore: '60',
        amount: '20',
        toAddress: OTHER_PAYEE,
        isPayerWallet: false,
      },
    ])
    expect((await shop.payouts({ status: ['processed'] })).body.total).toBe(0)
    const read = { params: { p: shop.p } }
    const metrics = await app.call(referralPayoutsRoutes.getReferralPayoutMetrics, read, { key: root })
    expect(metrics.body).toEqual({ waiting: (await shop.payouts()).body.total, processed30d: '0.00', failed30d: 0 })
  })
})
