import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem, inTransaction } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { type Receiver, startReceiver } from '../../testing/receiver.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { openCashier, type Pinned, type Cashier } from '../../testing/cashier.ts'
import { createDispatcher } from './sending/dispatcher.ts'
import { checkJob } from './jobs.ts'
import { deliveriesOf, releaseQuarantined } from './deliveries/service.ts'

let app: TestApp
let key: string
let shop: Shop
let cashier: Cashier
let receiver: Receiver
let payment: Pinned

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
  cashier = openCashier(app, shop)
  receiver = await startReceiver()
  const input = { params: { p: shop.p }, body: { url: receiver.url, events: ['payment.detected', 'payment.filled'] } }
  await app.call(webhooksRoutes.createWebhook, input, { key })
})
afterAll(async () => {
  await receiver.close()
  await app.stop()
})
beforeEach(async () => {
  receiver.requests.length = 0
  payment = await cashier.newPayment()
})
afterEach(() => sql`DELETE FROM deposits`.execute(app.ctx.db))

/** A quarantined deposit for the payment. */
const quarantine = ({ ref, to } = payment) =>
  sql`
    INSERT INTO deposits (blockchain_id, asset_id, address_id, tx_id, leg, kind, evidence, to_address, units, height,
      block_hash, block_time, confirmations_required, rule, status, payment_id, customer_id, project_id, seen_at)
    SELECT 1, 7, a.id, gen_random_uuid()::text, 'x', 'token', 'x', ${to}, 1, 1, 'x', now(), 1, 'depth', 'quarantined',
      p.id, p.customer_id, p.project_id, now()
    FROM payments p, addresses a WHERE p.reference_id = ${ref} AND a.address = ${to} LIMIT 1`.execute(app.ctx.db)
const release = () => sql`UPDATE deposits SET status = 'ignored'`.execute(app.ctx.db)
const happen = (sequence: number, type: 'payment.detected' | 'payment.filled', { ref } = payment) =>
  inTransaction(asSystem(app.ctx), (ctx) =>
    ctx.events.emit(ctx, {
      type,
      projectId: shop.projectId,
      orderKey: ref,
      referenceId: ref,
      sequence,
      payload: { reference_id: ref },
    }),
  )
const work = async () => {
  const worker = createDispatcher(asSystem(app.ctx))
  await worker.sweep()
  await worker.idle()
}
const statuses = async ({ ref } = payment) => (await deliveriesOf(app.ctx, ref)).map(({ status }) => status)

describe('webhooks, deposits in quarantine', () => {
  it('sends nothing about the payment until an operator decides, then all of it in order', async () => {
    await quarantine()
    const events = [await happen(11, 'payment.detected'), await happen(12, 'payment.filled')]
    await work()
    await releaseQuarantined(asSystem(app.ctx), payment.ref)
    expect(await statuses()).toEqual(['waiting_for_approval', 'waiting_for_approval'])
    expect((await deliveriesOf(app.ctx, payment.ref)).map(({ waits }) => waits?.code)).toEqual([
      'deposit_on_hold',
      'deposit_on_hold',
    ])
    expect(receiver.requests).toEqual([])
    await release()
    await releaseQuarantined(asSystem(app.ctx), payment.ref)
    await work()
    expect(await statuses()).toEqual(['received', 'received'])
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(events.map(({ eventId }) => eventId))
  })

  it('delays no other payment', async () => {
    const other = await cashier.newPayment()
    await quarantine()
    await happen(11, 'payment.filled', other)
    await work()
    expect(await statuses(other)).toEqual(['received'])
  })

  it('is not sent by hand either', async () => {
    await quarantine()
    const event = await happen(11, 'payment.filled')
    const [delivery] = await deliveriesOf(app.ctx, payment.ref)
    const params = { p: shop.p, id: delivery?.webhookID ?? 0, deliveryId: event.eventId }
    const answer = await app.call(webhooksRoutes.resendDelivery, { params, body: {} }, { key })
    expect(answer.body.status).toBe('waiting_for_approval')
    await work()
    expect(receiver.requests).toEqual([])
  })

  it('is released also when no event announces it', async () => {
    await quarantine()
    await happen(11, 'payment.filled')
    await release()
    await checkJob.run(asSystem(app.ctx), {})
    await work()
    expect(await statuses()).toEqual(['received'])
  })
})
