import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asSystem, inTransaction } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { type Receiver, startReceiver } from '../../../testing/receiver.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { createDispatcher } from '../sending/dispatcher.ts'
import { deliveriesOf } from './service.ts'
import { resendCurrent } from './resend.ts'

const START = new Date('2026-01-31T09:00:00.000Z')
const DAY = 24 * 3_600_000
/** From START to the end of its day. */
const TODAY = { from: '2026-01-31', to: '2026-01-31' }

let app: TestApp
let key: string
let shop: Shop
let other: Shop
let receiver: Receiver
let hook: number
let payments = 0

beforeAll(async () => {
  app = await testApp({ now: START })
  key = await app.signUp()
  shop = await openShop(app, key)
  other = await openShop(app, key, 'Other')
})
afterAll(() => app.stop())
beforeEach(async () => {
  app.clock.now = START
  await receiver?.close()
  receiver = await startReceiver()
  await sql`UPDATE webhooks SET status = 'deleted'`.execute(app.ctx.db)
  hook = await endpoint()
})

const endpoint = async (body: object = {}, p = shop.p) => {
  const input = { params: { p }, body: { url: `${receiver.url}/${Math.random()}`, ...body } }
  return (await app.call(webhooksRoutes.createWebhook, input, { key })).body.id
}
const newReference = () => `01920000-0000-7000-8000-${String((payments += 1)).padStart(12, '0')}`
const happen = (
  sequence: number,
  { reference = newReference(), type = 'payment.filled' as const, projectId = shop.projectId } = {},
) =>
  inTransaction(asSystem(app.ctx), (ctx) =>
    ctx.events.emit(ctx, {
      type,
      projectId,
      orderKey: reference,
      referenceId: reference,
      sequence,
      payload: { reference_id: reference, status: `state ${sequence}` },
    }),
  )
const work = async () => {
  const worker = createDispatcher(asSystem(app.ctx))
  await worker.sweep()
  await worker.idle()
}
const idsSent = () => receiver.requests.map(({ headers }) => headers['webhook-id'])
const off = () => sql`UPDATE webhooks SET status = 'inactive' WHERE id = ${hook}`.execute(app.ctx.db)
const resend = (deliveryId: string, { id = hook, p = shop.p, as = key } = {}) =>
  app.call(webhooksRoutes.resendDelivery, { params: { p, id, deliveryId }, body: {} }, { key: as })
const replay = (
  body: { from: string; to: string; events?: string[]; onlyFailed?: boolean },
  { id = hook, p = shop.p, as = key } = {},
) => app.call(webhooksRoutes.replayDeliveries, { params: { p, id }, body }, { key: as })

describe('webhooks.resendDelivery', () => {
  it('sends the same id and body again, with a new time and the former attempts', async () => {
    const event = await happen(1)
    await work()
    app.clock.now = new Date(START.getTime() + 5000)
    expect((await resend(event.eventId)).body).toMatchObject({ id: event.eventId, status: 'pending' })
    await work()
    const [first, second] = receiver.requests
    expect(second?.body).toBe(first?.body)
    expect(idsSent()).toEqual([event.eventId, event.eventId])
    expect(Number(second?.headers['webhook-timestamp'])).toBe(Number(first?.headers['webhook-timestamp']) + 5)
    const [delivery] = await deliveriesOf(app.ctx, event.referenceId ?? '')
    expect(delivery).toMatchObject({ status: 'received', attempt_count: 2, attempts: [{ code: 200 }, { code: 200 }] })
  })

  it('begins the schedule anew for one that failed for good', async () => {
    receiver.answerWith({ status: 500 })
    const event = await happen(1)
    const one = async () => (await deliveriesOf(app.ctx, event.referenceId ?? ''))[0]
    await sql`UPDATE deliveries SET attempt_count = 9 WHERE event_id = ${event.eventId}`.execute(app.ctx.db)
    await work()
    expect(await one()).toMatchObject({ status: 'failed', attempt_count: 10 })
    await resend(event.eventId)
    await work()
    expect(await one()).toMatchObject({ status: 'pending', attempt_count: 11 })
    expect((await one())?.next_retry_at?.getTime()).toBeLessThanOrEqual(START.getTime() + 5500)
  })

  it('sends nothing twice that is under way', async () => {
    receiver.answerWith('silence')
    const event = await happen(1)
    const sending = work()
    await receiver.hears(1)
    expect((await resend(event.eventId)).status).toBe(200)
    await work()
    expect(receiver.requests).toHaveLength(1)
    receiver.answerPending({ status: 200 })
    await sending
  })

  it('refuses without endpoint, delivery, permission, or while the endpoint is off', async () => {
    const event = await happen(1)
    expect((await resend('evt_nobody')).refusal?.code).toBe('DELIVERY_NOT_FOUND')
    expect((await resend(event.eventId, { p: other.p })).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    const auditor = await addOperator(app, { projectId: shop.projectId, role: 'project_manager' })
    expect((await resend(event.eventId, { as: auditor.key })).refusal?.data).toMatchObject({
      permission: 'webhook:resend',
    })
    await off()
    expect((await resend(event.eventId)).refusal?.code).toBe('WEBHOOK_INACTIVE')
  })
})

describe('webhooks.replayDeliveries', () => {
  /** Three events of one payment, the second of which was received. */
  const threeOfOne = async () => {
    const reference = newReference()
    const events = [await happen(1, { reference }), await happen(2, { reference }), await happen(3, { reference })]
    for (const [n, { eventId }] of events.entries()) {
      const status = n === 1 ? 'received' : n === 0 ? 'failed' : 'discarded'
      await sql`UPDATE deliveries SET status = ${status}, next_retry_at = NULL WHERE event_id = ${eventId}`.execute(
        app.ctx.db,
      )
    }
    return events.map(({ eventId }) => eventId)
  }

  it('sends what failed or was discarded again, in its order', async () => {
    const [first, , third] = await threeOfOne()
    const { status, body } = await replay(TODAY)
    expect([status, body]).toEqual([202, { queued: 2 }])
    await work()
    expect(idsSent()).toEqual([first, third])
  })

  it('sends all that ended when asked to, each once and in order', async () => {
    const ids = await threeOfOne()
    expect((await replay({ ...TODAY, onlyFailed: false })).body.queued).toBe(3)
    await work()
    expect(idsSent()).toEqual(ids)
  })

  it('keeps to the events and the time that are named', async () => {
    await threeOfOne()
    expect((await replay({ ...TODAY, events: ['payment.cancelled'] })).body.queued).toBe(0)
    expect((await replay({ from: '2026-02-01', to: '2026-02-02' })).body.queued).toBe(0)
    expect((await replay({ ...TODAY, events: ['payment.filled'] })).body.queued).toBe(2)
  })

  it('refuses more than 31 days: RANGE_TOO_LARGE', async () => {
    const to = new Date(START.getTime() + 31 * DAY).toISOString()
    expect((await replay({ from: START.toISOString(), to })).status).toBe(202)
    const later = new Date(START.getTime() + 31 * DAY + 1).toISOString()
    expect((await replay({ from: START.toISOString(), to: later })).refusal?.code).toBe('RANGE_TOO_LARGE')
  })

  it('refuses meaningless filters', async () => {
    expect((await replay({ from: 'yesterday', to: '2026-01-31' })).refusal?.fields).toHaveProperty('from')
    expect((await replay({ from: '2026-01-31', to: '2026-01-30' })).refusal?.fields).toHaveProperty('to')
    expect((await replay({ ...TODAY, events: ['payment.paid'] })).refusal?.code).toBe('EVENT_UNKNOWN')
    expect((await replay(TODAY, { p: other.p })).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    await off()
    expect((await replay(TODAY)).refusal?.code).toBe('WEBHOOK_INACTIVE')
  })
})

describe('webhooks.resendCurrent', () => {
  it('sends the newest state under an id of its own, in the place of the newest event', async () => {
    const reference = newReference()
    await happen(1, { reference })
    const newest = await happen(2, { reference })
    await work()
    const [row] = await resendCurrent(asSystem(app.ctx), { projectId: shop.projectId, referenceId: reference })
    expect(row).toMatchObject({ sequence: 2, reference_id: reference, status: 'pending' })
    expect(row?.event_id).not.toBe(newest.eventId)
    await work()
    const sent = JSON.parse(receiver.requests.at(-1)?.body ?? '') as object
    expect(sent).toMatchObject({
      event_id: row?.event_id,
      event_type: 'payment.filled',
      status: 'state 2',
      sequence: 2,
    })
  })

  it('reaches the named endpoint, else every active one that receives payment events', async () => {
    const [deaf, silent] = [await endpoint({ events: ['payment.created'] }), await endpoint({ status: 'inactive' })]
    const reference = newReference()
    await happen(1, { reference })
    const send = (webhookId?: number) =>
      resendCurrent(asSystem(app.ctx), { projectId: shop.projectId, referenceId: reference, webhookId })
    expect((await send()).map(({ webhook_id }) => webhook_id)).toEqual([hook, deaf])
    expect((await send(hook)).map(({ webhook_id }) => webhook_id)).toEqual([hook])
    for (const id of [silent, 99_999, await endpoint({}, other.p)]) {
      await expect(send(id)).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' })
    }
    const foreign = resendCurrent(asSystem(app.ctx), { projectId: other.projectId, referenceId: reference })
    await expect(foreign).rejects.toMatchObject({ code: 'PAYMENT_NOT_FOUND' })
  })
})

describe('sandbox.sendSandboxEvent', () => {
  const sample = (event: string, body: object = {}, as = key) =>
    app.call(sandboxRoutes.sendSandboxEvent, { params: { event }, body }, { key: as })

  it('sends every event that endpoints can receive, marked as a test', async () => {
    const types = ['payment.created', 'payment.detected', 'payment.over_filled', 'payment.cancelled'] as const
    for (const type of types) {
      const { status, body } = await sample(type)
      expect([status, body.deliveries.map(({ event }) => event)]).toEqual([200, [type]])
    }
    await work()
    const messages = receiver.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    expect(new Set(messages.map(({ event_type: type }) => type))).toEqual(new Set(types))
    expect(messages).toContainEqual(
      expect.objectContaining({ event_type: 'payment.over_filled', status: 'OVER_FILLED', test: true, sequence: null }),
    )
  })

  it('sends the payload of the named payment, and stays out of its history', async () => {
    const event = await happen(1)
    const { body } = await sample('payment.reopened', { referenceID: event.referenceId })
    expect(body.deliveries).toHaveLength(1)
    await work()
    const current = { event_type: 'payment.reopened', reference_id: event.referenceId, status: 'state 1' }
    const messages = receiver.requests.map((request) => JSON.parse(request.body) as object)
    expect(messages).toContainEqual(expect.objectContaining(current))
    expect((await deliveriesOf(app.ctx, event.referenceId ?? '')).map(({ id }) => id)).toEqual([event.eventId])
  })

  it('reaches the endpoints and payments of the own projects alone', async () => {
    const theirs = await endpoint({}, other.p)
    const lead = await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
    const { status, body } = await sample('payment.filled', {}, lead.key)
    expect([status, body.deliveries.map(({ webhookID }) => webhookID)]).toEqual([200, [hook]])
    const foreign = newReference()
    await happen(1, { reference: foreign, projectId: other.projectId })
    const refused = await sample('payment.filled', { referenceID: foreign }, lead.key)
    expect(refused.refusal?.code).toBe('PAYMENT_NOT_FOUND')
    const { body: everywhere } = await sample('payment.filled')
    expect(everywhere.deliveries.map(({ webhookID }) => webhookID)).toContain(theirs)
  })

  it('refuses events and payments that do not exist', async () => {
    for (const name of ['payment.paid', 'webhook.changed']) {
      expect((await sample(name)).refusal?.code).toBe('EVENT_UNKNOWN')
    }
    const unknown = await sample('payment.filled', { referenceID: newReference() })
    expect(unknown.refusal?.code).toBe('PAYMENT_NOT_FOUND')
  })
})
