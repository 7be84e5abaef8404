import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem, inTransaction } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { type Receiver, startReceiver } from '../../../testing/receiver.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { createDispatcher } from '../sending/dispatcher.ts'
import { purgeJob } from '../jobs.ts'

const START = new Date('2026-01-31T09:00:00.000Z')

let app: TestApp
let key: string
let shop: Shop
let other: Shop
let receiver: Receiver
let count = 0

beforeAll(async () => {
  app = await testApp({ now: START })
  key = await app.signUp()
  shop = await openShop(app, key)
  other = await openShop(app, key, 'Other')
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await app.stop()
})
beforeEach(() => {
  receiver.requests.length = 0
  app.clock.now = START
})

const address = () => `${receiver.url}/${(count += 1)}`
const create = async (body: object = {}) =>
  (await app.call(webhooksRoutes.createWebhook, { params: { p: shop.p }, body: { url: address(), ...body } }, { key }))
    .body
const get = (id: number, p = shop.p) => app.call(webhooksRoutes.getWebhook, { params: { p, id } }, { key })
const change = (id: number, body: object, { p = shop.p, as = key, method = 'PATCH' } = {}) =>
  app.call(webhooksRoutes.updateWebhook, { params: { p, id }, body }, { key: as, method })
const rotate = (id: number, body: object = {}, { p = shop.p, as = key } = {}) =>
  app.call(webhooksRoutes.rotateWebhookSecret, { params: { p, id }, body }, { key: as })
const remove = (id: number, { p = shop.p, as = key } = {}) =>
  app.call(webhooksRoutes.deleteWebhook, { params: { p, id } }, { key: as })

/** Lets something happen in the shop and sends what is due; what the endpoint was sent. */
async function sentTo(url: string) {
  await inTransaction(asSystem(app.ctx), (ctx) =>
    ctx.events.emit(ctx, { type: 'payment.filled', projectId: shop.projectId, payload: { n: count } }),
  )
  const worker = createDispatcher(asSystem(app.ctx))
  await worker.sweep()
  await worker.idle()
  return receiver.requests.findLast(({ path }) => url.endsWith(path))
}
/** Whether one of the signatures is that of the secret, as another implementation of Standard Webhooks makes it. */
const verifies = (secret: string, request: Awaited<ReturnType<typeof sentTo>>) => {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = request?.headers ?? {}
  const signed = new Webhook(secret).sign(String(id), new Date(Number(time) * 1000), request?.body ?? '')
  return String(signatures).split(' ').includes(signed)
}

describe('webhooks.getWebhook', () => {
  it('shows an endpoint with masked secrets, and none of another project', async () => {
    const made = await create({ name: 'Till' })
    const { body } = await get(made.id)
    expect(body).toMatchObject({ id: made.id, name: 'Till', previousSecretExpiresAt: null, health: 'idle' })
    expect([body.secret, body.access_key]).toEqual([
      expect.stringMatching(/^whsec_••••/),
      expect.stringMatching(/^kw_•/),
    ])
    expect((await get(made.id, other.p)).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await get(99_999)).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
  })
})

describe('webhooks.updateWebhook', () => {
  it('changes what is named and keeps the rest', async () => {
    const made = await create({ name: 'Till', description: 'd', events: ['payment.filled'] })
    const { body } = await change(made.id, { description: '', legacyHeaders: false })
    expect(body).toMatchObject({ name: 'Till', description: '', legacyHeaders: false, events: ['payment.filled'] })
    expect((await change(made.id, { events: [], name: 'Shop' }, { method: 'PUT' })).body).toMatchObject({
      name: 'Shop',
      events: [],
      url: made.url,
    })
  })

  it('resets the test result for a new URL, and keeps it for the same one', async () => {
    const made = await create()
    await app.call(webhooksRoutes.testWebhook, { params: { p: shop.p, id: made.id }, body: {} }, { key })
    expect((await change(made.id, { url: made.url })).body.tested).toBe(true)
    const url = address()
    expect((await change(made.id, { url })).body).toMatchObject({ url, tested: false })
  })

  it('refuses what creating refuses', async () => {
    const [made, taken] = [await create(), await create()]
    const codes = [
      [{ url: 'http://10.0.0.1/' }, 'WEBHOOK_URL_NOT_ALLOWED'],
      [{ url: taken.url }, 'WEBHOOK_EXISTS'],
      [{ events: ['payment.paid'] }, 'EVENT_UNKNOWN'],
    ] as const
    for (const [body, code] of codes) expect((await change(made.id, body)).refusal?.code).toBe(code)
    const scopes = ['payout:create']
    const strong = await app.call(apiKeysRoutes.createApiKey, { params: { p: shop.p }, body: { scopes } }, { key })
    const refused = await change(made.id, { access_key: strong.body.key })
    expect(refused.refusal?.code).toBe('ACCESS_KEY_TOO_POWERFUL')
    expect((await change(made.id, {}, { p: other.p })).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await get(made.id)).body.url).toBe(made.url)
  })

  it('gives the address to one of two calls at the same time', async () => {
    const [one, two, url] = [await create(), await create(), address()]
    const answers = await Promise.all([change(one.id, { url }), change(two.id, { url })])
    expect(answers.map(({ status }) => status === 200).filter(Boolean)).toHaveLength(1)
    expect(answers.find(({ status }) => status !== 200)?.refusal?.code).toBe('WEBHOOK_EXISTS')
  })

  it('asks for the permission and the password', async () => {
    const made = await create()
    const ops = await addOperator(app, { projectId: shop.projectId, role: 'project_ops' })
    expect((await change(made.id, { name: 'x' }, { as: ops.key })).refusal?.data).toMatchObject({
      permission: 'webhook:write',
    })
    const lead = await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
    await sql`UPDATE sessions SET step_up_until = NULL WHERE operator_id = ${lead.operatorId}`.execute(app.ctx.db)
    for (const call of [change(made.id, {}, { as: lead.key }), remove(made.id, { as: lead.key })]) {
      expect((await call).refusal?.code).toBe('STEP_UP_REQUIRED')
    }
    expect((await rotate(made.id, {}, { as: lead.key })).refusal?.code).toBe('STEP_UP_REQUIRED')
  })
})

describe('webhooks.deleteWebhook', () => {
  it('removes it from every list, and frees its URL', async () => {
    const made = await create()
    expect((await remove(made.id, { p: other.p })).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await remove(made.id)).status).toBe(200)
    expect((await get(made.id)).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await remove(made.id)).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
    expect((await create({ url: made.url })).id).not.toBe(made.id)
  })
})

describe('webhooks.rotateWebhookSecret', () => {
  it('lets old and new secret sign during the overlap, and the new one alone after it', async () => {
    const made = await create()
    const { body } = await rotate(made.id, { overlapHours: 2 })
    const [old, fresh] = [made.secret ?? '', body.secret ?? '']
    expect(fresh).toMatch(/^whsec_/)
    expect(fresh).not.toBe(old)
    expect(body.previousSecretExpiresAt).toEqual(new Date(START.getTime() + 2 * 3_600_000))
    expect(body.access_key).toMatch(/^kw_••••/)
    const during = await sentTo(made.url)
    expect([verifies(old, during), verifies(fresh, during)]).toEqual([true, true])
    app.clock.now = new Date(START.getTime() + 2 * 3_600_000)
    const after = await sentTo(made.url)
    expect([verifies(old, after), verifies(fresh, after)]).toEqual([false, true])
  })

  it('keeps the first secret signing when it is rotated twice', async () => {
    const made = await create()
    const second = (await rotate(made.id)).body.secret ?? ''
    const third = (await rotate(made.id, { overlapHours: 1 })).body.secret ?? ''
    const request = await sentTo(made.url)
    expect([made.secret ?? '', second, third].map((secret) => verifies(secret, request))).toEqual([true, true, true])
  })

  it('ends the old secret at once without overlap', async () => {
    const made = await create()
    const { body } = await rotate(made.id, { overlapHours: 0 })
    const request = await sentTo(made.url)
    expect([verifies(made.secret ?? '', request), verifies(body.secret ?? '', request)]).toEqual([false, true])
  })

  it('replaces the access key at once', async () => {
    const made = await create()
    const { body } = await rotate(made.id, { what: 'access_key' })
    expect(body.access_key).toMatch(/^kw_[\w-]{43}$/)
    expect(body.secret).toMatch(/^whsec_••••/)
    expect((await sentTo(made.url))?.headers['api-key']).toBe(body.access_key)
  })

  it('shows the new one once: a repeated call gets neither', async () => {
    const made = await create()
    const options = { key, headers: { 'idempotency-key': 'rotate-once' } }
    const input = { params: { p: shop.p, id: made.id }, body: {} }
    const first = await app.call(webhooksRoutes.rotateWebhookSecret, input, options)
    const again = await app.call(webhooksRoutes.rotateWebhookSecret, input, options)
    expect(again.headers['idempotency-replayed']).toBe('key')
    expect([first.body.secret?.length, again.body.secret]).toEqual([50, null])
  })

  it('refuses invalid input, and an unknown endpoint', async () => {
    const made = await create()
    const { refusal } = await rotate(made.id, { overlapHours: 169, what: 'url' })
    expect(refusal?.fields).toEqual({
      overlapHours: 'Overlap must be between 0 and 168',
      what: 'What must be one of: secret, access_key',
    })
    expect((await rotate(made.id, {}, { p: other.p })).refusal?.code).toBe('WEBHOOK_NOT_FOUND')
  })

  it('removes old secrets from the vault when they are no longer used', async () => {
    const made = await create()
    const secrets = async () =>
      (await sql<{ n: number }>`SELECT count(*)::int AS n FROM secrets`.execute(app.ctx.db)).rows[0]?.n ?? 0
    const before = await secrets()
    await rotate(made.id, { overlapHours: 1 })
    await rotate(made.id, { what: 'access_key' })
    await purgeJob.run(asSystem(app.ctx), {})
    expect(await secrets()).toBe(before + 2)
    app.clock.now = new Date(START.getTime() + 200 * 3_600_000)
    await purgeJob.run(asSystem(app.ctx), {})
    app.clock.now = START
    expect(await secrets()).toBeLessThanOrEqual(before)
    expect((await get(made.id)).status).toBe(200)
    expect(await sentTo(made.url)).toBeDefined()
  })
})
