import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import type { TestApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars } from '../../../testing/cashier.ts'
import type { FakeChain } from '../../../testing/fake-chain.ts'
import { OTHER_PAYEE, PAYEE } from '../../../testing/money-out/payouts.ts'
import { openRefundShop } from '../../../testing/money-out/refunds.ts'
import { sandboxEmails } from '../../mail/service.ts'
import { mailClaimJob } from './mail-claim.ts'

let app: TestApp
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  ;({ app, cashier, eth } = await openRefundShop())
})
afterAll(() => app.stop())
beforeEach(async () => {
  await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
  await sql`DELETE FROM sandbox_emails`.execute(app.ctx.db)
  await sql`DELETE FROM pgboss.job WHERE name = ${mailClaimJob.queue}`.execute(app.ctx.db)
  await sql`UPDATE projects SET support_email = 'help@shop.example'`.execute(app.ctx.db)
})

/** A payment with a surplus, whose customer has this e-mail. */
async function overpaid(email = 'payer@example.com') {
  const { ref, to } = await cashier.newPayment()
  await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(130) }])
  await eth.mine()
  await sql`UPDATE customers SET email = ${email} WHERE id = (SELECT customer_id FROM payments WHERE reference_id = ${ref})`.execute(
    app.ctx.db,
  )
  return ref
}
const claim = async (ref: string, address: string) => {
  const body = { blockchainCode: 'ETH', address }
  expect((await app.call(paymentRepairRoutes.claimRefund, { params: { ref }, body })).status).toBe(200)
}
/** Does the queued work; returns of each mail whether it waits ten minutes before it is sent. */
async function deliver(): Promise<boolean[]> {
  const { rows } = await sql<{ data: Parameters<typeof mailClaimJob.run>[1]; start: Date }>`
    SELECT data, start_after AS start FROM pgboss.job WHERE name = ${mailClaimJob.queue} ORDER BY created_on`.execute(
    app.ctx.db,
  )
  for (const { data } of rows) await mailClaimJob.run(asSystem(app.ctx), data)
  return rows.map(({ start }) => start.getTime() === app.ctx.now().getTime() + 10 * 60_000)
}

describe('payments.claims: the mail to the customer', () => {
  it('names network and address, and what to do, and goes to the e-mail of the payment', async () => {
    await claim(await overpaid(), PAYEE)
    expect(await deliver()).toEqual([false])
    const [mail, ...others] = await sandboxEmails(app.ctx)
    expect([mail?.recipient, others]).toEqual(['payer@example.com', []])
    expect(mail?.message.paragraphs).toContain(`${PAYEE} on Ethereum`)
    expect(mail?.message.foot).toContain('If it was not you, open the payment and enter your own address')
    expect(mail?.message.foot).toContain('help@shop.example')
  })

  it('waits ten minutes for one that takes the place of another, and is sent for the last one alone', async () => {
    const ref = await overpaid()
    await claim(ref, PAYEE)
    await claim(ref, PAYEE)
    for (const address of [OTHER_PAYEE, PAYEE, OTHER_PAYEE]) await claim(ref, address)
    expect(await deliver()).toEqual([false, true, true, true])
    const mails = await sandboxEmails(app.ctx)
    expect(mails.map(({ message }) => message.paragraphs[1])).toEqual([`${OTHER_PAYEE} on Ethereum`])
  })

  it('is not sent where the customer has no e-mail', async () => {
    await claim(await overpaid(''), PAYEE)
    expect(await deliver()).toEqual([])
  })
})
