import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { mailReceiptJob, requestReceipt } from '../../modules/payments/receipts/service.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { ASSET, type Cashier, dollars, openCashier } from '../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

const DAY = 24 * 3_600_000
const START = new Date('2026-01-31T09:30:00.000Z')

type Sent = Parameters<typeof mailReceiptJob.run>[1]

let app: TestApp
let operator: string
let shop: Shop
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: START, config: { siteUrl: 'https://pay.shop.example' } })
  operator = await app.signUp()
  shop = await openShop(app, operator, 'Tea & <b>Co</b>')
  const body = { emailSendRequestFrom: 'Tea <pay@tea.example>', supportEmail: 'help@tea.example' }
  await app.call(projectsRoutes.changeProject, { params: { p: shop.p }, body }, { key: operator })
  await app.call(
    projectsRoutes.changePaymentPolicy,
    { params: { p: shop.p }, body: { customerEmailRequired: false } },
    { key: operator },
  )
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
})
afterAll(() => app.stop())
beforeEach(async () => {
  cashier.pass(DAY)
  await sql`DELETE FROM pgboss.job WHERE name = 'payments.mail-receipt'`.execute(app.ctx.db)
  await sql`DELETE FROM sandbox_emails`.execute(app.ctx.db)
})

async function pay({ ref, to }: { ref: string; to: string }, amount = 100): Promise<string> {
  await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(amount) }])
  for (let block = 0; block < 3; block += 1) await eth.mine()
  return ref
}
const paid = async () => pay(await cashier.newPayment())

/** A paid payment whose customer has no e-mail. */
async function paidByNobody(): Promise<string> {
  const body = { customerID: `nobody-${app.clock.now.getTime()}`, customerEmail: '', amountInUSD: '100' }
  const ref = (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
  const { Address: to } = (await cashier.pick(ref, 'ETH', 'USDC')).body
  return pay({ ref, to })
}

const open = async (ref: string, more = '') =>
  (await app.http.inject({ url: `/success?reference_id=${ref}${more}` })).payload
const ask = (ref: string, email?: string, more = '') =>
  app.http.inject({
    method: 'POST',
    url: `/success?reference_id=${ref}${more}`,
    payload: new URLSearchParams(email === undefined ? {} : { email }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const queued = async () => {
  const { rows } = await sql<{ data: Sent }>`
    SELECT data FROM pgboss.job WHERE name = 'payments.mail-receipt' ORDER BY created_on, id`.execute(app.ctx.db)
  return rows.map(({ data }) => data)
}
const recipients = async () => (await queued()).map(({ to }) => to)
const OFTEN = 'This receipt cannot be e-mailed again today.'

describe('pages: the mail of the receipt', () => {
  it('goes to the customer’s own address, which the page masks, and says what was paid', async () => {
    const ref = await paid()
    const page = await open(ref)
    expect(page).toContain('Send to <bdi dir="ltr">p…r@example.com</bdi>')
    expect(page).not.toContain('payer@example.com')
    const answer = await ask(ref)
    const next = `/success?reference_id=${ref}&mailed=1`
    expect([answer.statusCode, answer.headers.location]).toEqual([303, next])
    expect(await open(ref, '&mailed=1')).toContain('The receipt is on its way by e-mail.')
    const [mail] = await queued()
    if (!mail) throw new Error('No mail was queued')
    await mailReceiptJob.run(asSystem(app.ctx), mail)
    const { rows } = await sql<{ recipient: string; message: Record<string, unknown> }>`
      SELECT recipient, message FROM sandbox_emails`.execute(app.ctx.db)
    expect(rows).toEqual([
      {
        recipient: 'payer@example.com',
        message: {
          subject: 'Receipt: $100.00 to Tea & <b>Co</b>',
          paragraphs: [
            expect.stringMatching(/^Tea & <b>Co<\/b> · \d+ \w+ 2026, \d\d:\d\d UTC$/) as string,
            'Requested: $100.00',
            'Paid: 100 USDC on Ethereum',
            expect.stringMatching(/^Transaction: 0x[0-9a-f]{64}$/) as string,
            `Reference: ${ref}`,
          ],
          action: { label: 'Receipt', url: `https://pay.shop.example/success?reference_id=${ref}` },
          foot: expect.stringContaining('This e-mail was requested') as string,
          language: { code: 'en', dir: 'ltr' },
        },
      },
    ])
    expect((await cashier.events(ref)).at(-1)).toMatchObject({
      type: 'payment.receipt_mailed',
      payload: { reference_id: ref, email: 'p…r@example.com' },
    })
  })

  it('is written in the language of the page', async () => {
    const ref = await paid()
    await ask(ref, undefined, '&lang=ar')
    const [mail] = await queued()
    expect(mail?.message.language).toEqual({ code: 'ar', dir: 'rtl' })
    expect(mail?.message.subject).toContain('إيصال')
    expect(mail?.message.action?.url).toContain('&lang=ar')
  })

  it('goes to an address that is typed, and says what is wrong with another', async () => {
    const ref = await paidByNobody()
    expect(await open(ref)).not.toContain('id="mail-own"')
    for (const wrong of ['nobody', 'a@b.example, c@d.example', undefined]) {
      const { statusCode, payload } = await ask(ref, wrong)
      expect([statusCode, payload.includes('This is not a valid e-mail address.')]).toEqual([200, true])
    }
    expect((await ask(ref, 'a"<x>')).payload).toContain('value="a&quot;&lt;x&gt;"')
    expect((await ask(ref, ' Me@Shop.Example ')).statusCode).toBe(303)
    expect(await recipients()).toEqual(['me@shop.example'])
  })

  it('is sent three times a day for a payment, a second press not counted', async () => {
    const ref = await paid()
    const addresses = ['a@shop.example', 'a@shop.example', 'b@shop.example', 'c@shop.example', 'd@shop.example']
    const answers = []
    for (const address of addresses) answers.push((await ask(ref, address)).statusCode)
    expect(answers).toEqual([303, 303, 303, 303, 200])
    expect(await recipients()).toEqual(['a@shop.example', 'b@shop.example', 'c@shop.example'])
    expect((await ask(ref, 'd@shop.example')).payload).toContain(OFTEN)
    cashier.pass(DAY)
    expect((await ask(ref, 'd@shop.example')).statusCode).toBe(303)
  })

  it('is sent three times a day to an address, however many payments ask at the same moment', async () => {
    const refs = [await paid(), await paid(), await paid(), await paid(), await paid()]
    const answers = await Promise.all(refs.map((ref) => ask(ref, 'victim@shop.example')))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 303, 303, 303])
    expect(await recipients()).toEqual(['victim@shop.example', 'victim@shop.example', 'victim@shop.example'])
    const [mail] = await queued()
    if (!mail) throw new Error('No mail was queued')
    cashier.pass(DAY)
    await mailReceiptJob.run(asSystem(app.ctx), mail)
    const { rows } = await sql`SELECT FROM receipt_mails`.execute(app.ctx.db)
    expect(rows).toEqual([])
  })

  it('counts every spelling of one mailbox', async () => {
    const spellings = ['vic.tim@gmail.com', 'victim+a@gmail.com', 'V.ictim+b@googlemail.com', 'victim+c@gmail.com']
    const answers = []
    for (const spelling of spellings) answers.push((await ask(await paid(), spelling)).statusCode)
    expect(answers).toEqual([303, 303, 303, 200])
    expect(await recipients()).toEqual(spellings.slice(0, 3).map((spelling) => spelling.toLowerCase()))
  })

  it('is neither offered nor sent before the payment is paid', async () => {
    const made = await cashier.newPayment()
    await eth.mine([{ to: made.to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    expect(await open(made.ref)).not.toContain('id="mail"')
    await ask(made.ref, 'me@shop.example')
    expect(await recipients()).toEqual([])
    expect((await ask('0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d', 'me@shop.example')).statusCode).toBe(404)
  })

  it('is not sent when a reorganisation took the money back while it waited', async () => {
    const made = await cashier.newPayment()
    const below = eth.height()
    const ref = await pay(made)
    await ask(ref)
    const [mail] = await queued()
    if (!mail) throw new Error('No mail was queued')
    await eth.reorg(below)
    await mailReceiptJob.run(asSystem(app.ctx), mail)
    const { rows } = await sql`SELECT FROM sandbox_emails`.execute(app.ctx.db)
    expect(rows).toEqual([])
  })

  it('is refused where no mail leaves', async () => {
    const ref = await paid()
    const live = { ...asSystem(app.ctx), config: { ...app.ctx.config, network: 'testnet' as const } }
    const message = { subject: '', paragraphs: [], foot: '' }
    await expect(requestReceipt(live, ref, { address: '', message })).rejects.toMatchObject({
      code: 'SMTP_NOT_CONFIGURED',
    })
  })
})
