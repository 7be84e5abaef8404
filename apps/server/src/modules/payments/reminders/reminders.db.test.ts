import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import type { PaymentPolicyChange } from '@kassa/contract/projects/payment-policy.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { ProjectChange } from '@kassa/contract/projects/schemas.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars, openCashier } from '../../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { MAIL_USER, startMailbox } from '../../../testing/services/mailbox.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { findPayment } from '../payment/store.ts'
import { mailReminderJob, remindJob, remindNow } from './service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let app: TestApp
let operator: string
let shop: Shop
let cashier: Cashier
let eth: FakeChain
let customers = 0

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z'), config: { siteUrl: 'https://pay.shop.example' } })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
})
afterAll(() => app.stop())
beforeEach(async () => {
  cashier.pass(8 * DAY)
  await cashier.expire()
  const who = { email: TEST_EMAIL, password: TEST_PASSWORD }
  operator = (await app.call(authRoutes.signIn, { body: who })).body.key
  await sql`UPDATE projects SET payment_policy = '{}'`.execute(app.ctx.db)
  await sql`DELETE FROM pgboss.job WHERE name = 'payments.mail-reminder'`.execute(app.ctx.db)
  await sql`DELETE FROM sandbox_emails`.execute(app.ctx.db)
  await sql`DELETE FROM mail_server`.execute(app.ctx.db)
})

/** Makes a link for a new customer. */
async function link(minutes: number, more: object = {}): Promise<string> {
  customers += 1
  const who = { customerID: `customer-${customers}`, customerEmail: `customer-${customers}@example.com` }
  const body = { ...who, amountInUSD: '1234.5', expiresInMinutes: minutes, ...more }
  return (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
}

/** Runs the job; returns the references of all mails that wait, oldest first. */
async function remind(): Promise<string[]> {
  await remindJob.run(asSystem(app.ctx), {})
  const { rows } = await sql<{ reference: string }>`
    SELECT data->>'reference' AS reference FROM pgboss.job WHERE name = 'payments.mail-reminder'
    ORDER BY created_on, id`.execute(app.ctx.db)
  return rows.map(({ reference }) => reference)
}

const mail = (reference: string) => mailReminderJob.run(asSystem(app.ctx), { reference })
const stored = async () =>
  (await sql<{ recipient: string; message: object }>`SELECT recipient, message FROM sandbox_emails`.execute(app.ctx.db))
    .rows
const changePolicy = (body: PaymentPolicyChange) =>
  app.call(projectsRoutes.changePaymentPolicy, { params: { p: shop.p }, body }, { key: operator })
const changeProject = (body: ProjectChange) =>
  app.call(projectsRoutes.changeProject, { params: { p: shop.p }, body }, { key: operator })

describe('payments.reminders', () => {
  it.each([
    ['an hour', 60, 45 * MINUTE],
    ['a day', 24 * 60, 18 * HOUR],
    ['a week', 7 * 24 * 60, 6 * DAY],
  ])(
    'are due once in the last quarter of a link of %s, on its last day at the earliest',
    async (_name, minutes, after) => {
      const reference = await link(minutes)
      cashier.pass(after - 1)
      expect(await remind()).toEqual([])
      cashier.pass(1)
      expect(await remind()).toEqual([reference])
      cashier.pass(MINUTE)
      expect(await remind()).toEqual([reference])
    },
  )

  it('leave out links of less than an hour, and those that end within five minutes', async () => {
    await Promise.all([link(59), link(60)])
    cashier.pass(55 * MINUTE)
    expect(await remind()).toEqual([])
  })

  it('are queued once when several processes look at the same moment', async () => {
    const references = [await link(60), await link(60), await link(60)]
    cashier.pass(50 * MINUTE)
    await Promise.all([remind(), remind(), remind()])
    expect((await remind()).toSorted()).toEqual(references.toSorted())
  })

  it('say what is asked for, until when, and where it is paid', async () => {
    await changeProject({ supportEmail: 'help@shop.example' })
    const reference = await link(60, { description: 'Order <77>' })
    const end = app.clock.now.getTime() + HOUR
    cashier.pass(50 * MINUTE)
    await remind()
    await mail(reference)
    const until = new Date(end).toISOString().slice(0, 16).replace('T', ' ')
    expect(await stored()).toEqual([
      {
        recipient: `customer-${customers}@example.com`,
        message: {
          subject: 'Your payment of $1,234.50 to Shop is still open',
          paragraphs: [
            'Shop asks you to pay $1,234.50 for: Order <77>',
            `The link can be paid until ${until} UTC. Open it for the address and the exact amount, and send nothing after that time.`,
          ],
          action: {
            label: 'Pay $1,234.50',
            url: `https://pay.shop.example/payments?reference_id=${reference}`,
          },
          foot: expect.stringMatching(/^This is the only reminder .* Questions: help@shop\.example$/) as string,
        },
      },
    ])
  })

  it('stand in the timeline of the payment once the mail has left, and not before', async () => {
    const reference = await link(60)
    const reminded = async () => {
      const params = { p: shop.p, ref: reference }
      const { timeline } = (await app.call(paymentsRoutes.getPayment, { params }, { key: operator })).body
      return timeline.filter(({ event }) => event === 'payment.reminded')
    }
    cashier.pass(50 * MINUTE)
    await remind()
    expect(await reminded()).toEqual([])
    await mail(reference)
    expect(await reminded()).toMatchObject([{ at: app.clock.now, data: { reference_id: reference } }])
  })

  it('are sent now when an operator asks, once, also of a short link and against the policy', async () => {
    await changePolicy({ reminderMail: false })
    const reference = await link(15)
    const ask = (ref: string) =>
      app.call(paymentsRoutes.remindCustomer, { params: { p: shop.p, ref } }, { key: operator })
    expect((await ask(reference)).status).toBe(200)
    expect((await ask(reference)).refusal).toMatchObject({
      code: 'RESOLUTION_NOT_POSSIBLE',
      details: 'Its customer was reminded already.',
    })
    const { rows } = await sql<{ data: { reference: string; asked: true } }>`
      SELECT data FROM pgboss.job WHERE name = 'payments.mail-reminder'`.execute(app.ctx.db)
    expect(rows.map(({ data }) => data)).toEqual([{ reference, asked: true }])
    for (const { data } of rows) await mailReminderJob.run(asSystem(app.ctx), data)
    expect((await stored()).map(({ recipient }) => recipient)).toEqual([`customer-${customers}@example.com`])
    cashier.pass(13 * MINUTE)
    expect(await remind()).toEqual([reference])
  })

  it('are refused of what cannot be paid any more, was paid, or has nobody to write to', async () => {
    const ask = async (ref: string) =>
      (await app.call(paymentsRoutes.remindCustomer, { params: { p: shop.p, ref } }, { key: operator })).refusal?.code
    const paid = await link(60)
    const pinned = await cashier.pick(paid, 'ETH', 'USDC')
    await eth.mine([{ to: pinned.body.Address, assetId: ASSET.USDC_ON_ETH, units: dollars(10) }])
    const cancelled = await link(60)
    await app.call(paymentsRoutes.cancelPayment, { params: { p: shop.p, ref: cancelled } }, { key: operator })
    await changePolicy({ customerEmailRequired: false })
    const unnamed = await link(60, { customerEmail: undefined })
    expect([await ask(paid), await ask(cancelled), await ask(unnamed)]).toEqual([
      'PAYMENT_HAS_FUNDS',
      'PAYMENT_NOT_OPEN',
      'RESOLUTION_NOT_POSSIBLE',
    ])
    expect(await ask('01900000-0000-7000-8000-000000000000')).toBe('PAYMENT_NOT_FOUND')
    const live = { ...asSystem(app.ctx), config: { ...app.ctx.config, network: 'testnet' as const } }
    const payment = await findPayment(live, cancelled)
    if (!payment) throw new Error('There is no payment')
    await expect(remindNow(live, payment)).rejects.toMatchObject({ code: 'SMTP_NOT_CONFIGURED' })
  })

  it('are not for a link that money was seen for, that was cancelled, or whose customer has no e-mail', async () => {
    const paid = await link(60)
    const pinned = await cashier.pick(paid, 'ETH', 'USDC')
    const cancelled = await link(60)
    await app.call(paymentsRoutes.cancelPayment, { params: { p: shop.p, ref: cancelled } }, { key: operator })
    await changePolicy({ customerEmailRequired: false })
    await link(60, { customerEmail: undefined })
    await eth.mine([{ to: pinned.body.Address, assetId: ASSET.USDC_ON_ETH, units: dollars(10) }])
    cashier.pass(50 * MINUTE)
    expect(await remind()).toEqual([])
  })

  it('are not for a link whose money a reorganisation took, or for which the shop holds another currency', async () => {
    const [taken, other] = [await link(60), await link(60)]
    const pick = async (ref: string) => (await cashier.pick(ref, 'ETH', 'USDC')).body.Address
    const [to, elsewhere] = [await pick(taken), await pick(other)]
    await eth.mine([{ to: elsewhere, assetId: ASSET.USDT_ON_ETH, units: dollars(10) }])
    const below = eth.height()
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(10) }])
    await eth.reorg(below)
    cashier.pass(50 * MINUTE)
    expect(await remind()).toEqual([])
    const ask = (ref: string) =>
      app.call(paymentsRoutes.remindCustomer, { params: { p: shop.p, ref } }, { key: operator })
    const codes = [await ask(taken), await ask(other)].map(({ refusal }) => refusal?.code)
    expect(codes).toEqual(['PAYMENT_HAS_FUNDS', 'PAYMENT_HAS_FUNDS'])
    await mail(taken)
    expect(await stored()).toEqual([])
  })

  it('follow the policy of the project, also while the mail waits', async () => {
    await changePolicy({ reminderMail: false })
    const reference = await link(60)
    cashier.pass(50 * MINUTE)
    expect(await remind()).toEqual([])
    await changePolicy({ reminderMail: true })
    expect(await remind()).toEqual([reference])
    await changePolicy({ reminderMail: false })
    await mail(reference)
    expect(await stored()).toEqual([])
    const { rows } =
      await sql`SELECT FROM events WHERE reference_id = ${reference} AND type = 'payment.reminded'`.execute(app.ctx.db)
    expect(rows).toEqual([])
  })

  it('are not sent when the link ended while the mail waited', async () => {
    const reference = await link(60)
    cashier.pass(50 * MINUTE)
    expect(await remind()).toEqual([reference])
    cashier.pass(10 * MINUTE)
    await mail(reference)
    expect(await stored()).toEqual([])
  })

  it('come from the project’s own sender, and are answered where it says', async () => {
    const mailbox = await startMailbox()
    const server = { host: '127.0.0.1', port: mailbox.port, ...MAIL_USER, encryption: 'none' as const }
    const body = { ...server, from: 'kassa@host.example', fromName: 'Host', replyTo: 'answers@host.example' }
    await app.call(mailRoutes.saveMailServer, { body }, { key: operator })
    const sent = async (change: ProjectChange, count: number) => {
      await changeProject(change)
      const reference = await link(60)
      cashier.pass(50 * MINUTE)
      await remind()
      await mail(reference)
      const { from, replyTo } = await mailbox.holds(count)
      return [from?.value[0], replyTo?.value[0]?.address]
    }
    const own = { emailSendRequestFrom: 'Shop, Inc <pay@shop.example>', emailSendRequestReplyTo: 'ask@shop.example' }
    const sender = { name: 'Shop, Inc', address: 'pay@shop.example' }
    const host = { name: 'Host', address: 'kassa@host.example' }
    expect(await sent(own, 1)).toEqual([sender, 'ask@shop.example'])
    expect(await sent({ emailSendRequestReplyTo: '', supportEmail: 'help@shop.example' }, 2)).toEqual([
      sender,
      'help@shop.example',
    ])
    expect(await sent({ supportEmail: '' }, 3)).toEqual([sender, undefined])
    expect(await sent({ emailSendRequestFrom: '' }, 4)).toEqual([host, 'answers@host.example'])
    await mailbox.close()
  })

  it('wait where no mail leaves', async () => {
    const reference = await link(60)
    cashier.pass(50 * MINUTE)
    const elsewhere = { ...asSystem(app.ctx), config: { ...app.ctx.config, network: 'testnet' } } as const
    expect(await remindJob.run(elsewhere, {})).toBe(0)
    expect(await remind()).toEqual([reference])
  })
})
