import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem, inTransaction, type StoredEvent } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { type Receiver, startReceiver } from '../../testing/receiver.ts'
import { addOperator } from '../../testing/operators.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { createDispatcher } from './sending/dispatcher.ts'

const REFERENCE = '01920000-0000-7000-8000-000000000001'

let app: TestApp
let key: string
let shop: Shop
let other: Shop
let receiver: Receiver
let made: { id: number; secret: string; accessKey: string }

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
  other = await openShop(app, key, 'Other')
  receiver = await startReceiver()
  made = await create(shop.p, receiver.url)
})
afterAll(async () => {
  await receiver.close()
  await app.stop()
})
beforeEach(() => {
  receiver.requests.length = 0
  receiver.answerWith({ status: 200, body: 'ok' })
})

async function create(p: string, url: string) {
  const { body } = await app.call(webhooksRoutes.createWebhook, { params: { p }, body: { url } }, { key })
  return { id: body.id, secret: body.secret ?? '', accessKey: body.access_key ?? '' }
}
const happen = (sequence: number): Promise<StoredEvent> =>
  inTransaction(asSystem(app.ctx), (ctx) =>
    ctx.events.emit(ctx, {
      type: 'payment.filled',
      projectId: shop.projectId,
      orderKey: REFERENCE,
      referenceId: REFERENCE,
      sequence,
      payload: { reference_id: REFERENCE },
    }),
  )
const deliveries = (query: object = {}, options: object = { key }, p = shop.p) =>
  app.call(webhooksRoutes.listDeliveries, { params: { p }, query }, options)

describe('webhooks.createWebhook', () => {
  it('leaves tokens of the receiver out of the labels of its secrets', async () => {
    const { id } = await create(other.p, 'https://hooks.example/services/T0KEN-of-the-receiver?key=T0KEN')
    const rotate = { params: { p: other.p, id }, body: {} }
    expect((await app.call(webhooksRoutes.rotateWebhookSecret, rotate, { key })).status).toBe(200)
    const labels = await sql<{ label: string }>`SELECT label FROM secrets WHERE kind = 'webhook'`.execute(app.ctx.db)
    expect(labels.rows.length).toBeGreaterThan(2)
    expect(JSON.stringify(labels.rows)).not.toContain('T0KEN')
    await app.call(webhooksRoutes.deleteWebhook, { params: { p: other.p, id } }, { key })
  })
})

describe('webhooks.testWebhook', () => {
  const ping = (id: number, body: object = {}, options: object = {}, p = shop.p) =>
    app.call(webhooksRoutes.testWebhook, { params: { p, id }, body }, { key, ...options })
  const stored = async () =>
    (await app.call(webhooksRoutes.listWebhooks, { params: { p: shop.p } }, { key })).body.find(
      ({ id }) => id === made.id,
    )

  it('sends a signed ping that says it is a test', async () => {
    const { status, body } = await ping(made.id)
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        statusCode: 200,
        ms: expect.any(Number) as number,
        responseExcerpt: 'ok',
        message: 'The receiver accepted the test.',
      },
    ])
    const [request] = receiver.requests
    expect(request?.headers['x-webhook-test']).toBe('true')
    const message = new Webhook(made.secret).verify(request?.body ?? '', request?.headers as Record<string, string>)
    expect(message).toMatchObject({ event_type: 'webhook.ping', project_id: shop.projectId, test: true })
    expect((await stored())?.tested).toBe(true)
  })

  it('answers GET as well, and sends the event that is named', async () => {
    expect((await ping(made.id, {}, { method: 'GET' })).status).toBe(200)
    await ping(made.id, { event: 'payment.filled' })
    expect(JSON.parse(receiver.requests[1]?.body ?? '')).toMatchObject({ event_type: 'payment.filled', test: true })
  })

  it('reports the error and never disables the endpoint', async () => {
    receiver.answerWith({ status: 410, body: 'x'.repeat(5000) })
    const { body } = await ping(made.id)
    expect(body).toMatchObject({
      success: false,
      statusCode: 410,
      message: 'The receiver answered 410. It must answer 200 to 299.',
    })
    expect(body.responseExcerpt).toHaveLength(1024)
    expect((await stored())?.status).toBe('active')
    const dead = await create(shop.p, 'http://127.0.0.1:9/dead')
    expect((await ping(dead.id)).body).toMatchObject({ success: false, statusCode: null })
    expect((await ping(dead.id)).body.message).toMatch(/^The receiver could not be reached: .*ECONNREFUSED/)
  })

  it('refuses unknown events, endpoints and addresses that are not allowed', async () => {
    expect((await ping(made.id, { event: 'payment.paid' })).refusal?.code).toBe('EVENT_UNKNOWN')
    expect((await ping(99_999)).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await ping(made.id, {}, {}, other.p)).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    const old = await create(shop.p, 'http://127.0.0.1:9/old')
    await sql`UPDATE webhooks SET url = 'http://10.0.0.1/' WHERE id = ${old.id}`.execute(app.ctx.db)
    expect((await ping(old.id)).refusal?.code).toBe('WEBHOOK_URL_NOT_ALLOWED')
    const auditor = await addOperator(app, { projectId: shop.projectId, role: 'project_manager' })
    expect((await ping(made.id, {}, { key: auditor.key })).refusal?.data).toMatchObject({
      permission: 'webhook:resend',
    })
    expect(receiver.requests).toHaveLength(0)
  })
})

describe('webhooks.listDeliveries', () => {
  beforeAll(async () => {
    for (const sequence of [1, 2, 3]) await happen(sequence)
  })
  const ofEndpoint = (id: number, p = shop.p) =>
    app.call(webhooksRoutes.listDeliveriesOfWebhook, { params: { p, id } }, { key })

  it('lists newest first, filtered, with cursor and total', async () => {
    const filter = { referenceID: REFERENCE, event: ['payment.filled'], status: ['pending'] }
    const first = (await deliveries({ ...filter, limit: 2 })).body
    expect(first.data.length).toBe(2)
    expect(first.total).toBeGreaterThanOrEqual(3)
    const ids = first.data.map(({ deliveryID }) => deliveryID)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    const next = (await deliveries({ ...filter, limit: 2, cursor: first.nextCursor })).body
    expect(next.data[0]?.deliveryID).toBeLessThan(ids[1] ?? 0)
    const foreign = await deliveries({ ...filter, status: ['received'], cursor: first.nextCursor })
    expect(foreign.refusal?.code).toBe('CURSOR_INVALID')
    expect((await deliveries({ status: ['received'] })).body.total).toBe(0)
    expect((await deliveries({ dateTo: '2020-01-01' })).body.total).toBe(0)
  })

  it('refuses filters that mean nothing', async () => {
    expect((await deliveries({ status: ['lost'] })).refusal?.code).toBe('VALIDATION_FAILED')
    expect((await deliveries({ dateFrom: 'yesterday' })).refusal?.fields).toHaveProperty('dateFrom')
    expect((await deliveries({ referenceID: 'INV-1' })).refusal?.fields).toHaveProperty('referenceID')
    expect((await deliveries({ offset: 10_001 })).refusal?.code).toBe('PAGE_TOO_DEEP')
  })

  it('shows an API key its own project only', async () => {
    expect((await deliveries({}, { key: shop.apiKey }, 'all')).body.total).toBeGreaterThanOrEqual(3)
    expect((await deliveries({}, { key: other.apiKey }, 'all')).body.total).toBe(0)
    expect((await deliveries({}, { key: other.apiKey })).refusal?.code).toBe('PROJECT_NOT_FOUND')
  })

  it('lists those of one endpoint, and refuses one of a foreign project', async () => {
    expect((await ofEndpoint(made.id)).body.data.every(({ webhookID }) => webhookID === made.id)).toBe(true)
    expect((await ofEndpoint(made.id, other.p)).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await ofEndpoint(99_999)).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
  })
})

describe('webhooks.getDelivery', () => {
  const get = (id: number, deliveryId: string, p = shop.p) =>
    app.call(webhooksRoutes.getDelivery, { params: { p, id, deliveryId } }, { key })

  it('shows what was sent and how it went, without the access key', async () => {
    const hook = await startReceiver()
    const { id, accessKey } = await create(shop.p, hook.url)
    const event = await happen(9)
    const { deliveryID } = (await get(id, event.eventId)).body
    const worker = createDispatcher(app.ctx)
    await worker.sweep()
    await worker.idle()
    const { body, text } = await get(id, String(deliveryID))
    expect(body).toMatchObject({ id: event.eventId, status: 'received', attempts: [{ code: 200 }] })
    expect(body.request).toMatchObject({ url: hook.url, body: hook.requests[0]?.body })
    expect(body.request.headers['webhook-signature']).toBe(hook.requests[0]?.headers['webhook-signature'])
    expect(hook.requests[0]?.headers['api-key']).toBe(accessKey)
    expect(text).not.toContain(accessKey)
    await hook.close()
  })

  it('refuses a delivery of another endpoint or project', async () => {
    const event = await happen(10)
    const foreign = await create(other.p, receiver.url)
    expect((await get(made.id, event.eventId)).status).toBe(200)
    expect((await get(made.id, event.eventId, other.p)).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await get(foreign.id, event.eventId, other.p)).refusal?.code).toBe('DELIVERY_NOT_FOUND')
    expect((await get(made.id, 'evt_nobody')).refusal?.code).toBe('DELIVERY_NOT_FOUND')
    expect((await get(made.id, '999999999999')).refusal?.code).toBe('DELIVERY_NOT_FOUND')
  })
})
