import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { StoredEvent } from '../../context.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import * as webhookClient from '../../testing/services/webhook-client.ts'
import { type Receiver, startReceiver } from '../../testing/receiver.ts'
import { openAlarms } from '../alarms/service.ts'
import { addProjectRole } from '../operators/accounts/service.ts'
import { changeWebhook } from './endpoints/change-endpoint.ts'
import { mailGoneJob } from './endpoints/emails.ts'
import { claimDeliveries, recheckPostponed } from './sending/claim-store.ts'
import { createDispatcher } from './sending/dispatcher.ts'
import { type CreatedWebhook, createWebhook } from './endpoints/service.ts'
import { getWebhook } from './record/service.ts'
import { queueDeliveries } from './deliveries/service.ts'

const REFERENCE = '01920000-0000-7000-8000-000000000001'
const START = new Date('2026-01-31T09:00:00.000Z')

let test: TestContext
let now = START
let projectId: number
let receiver: Receiver
let made: CreatedWebhook

beforeAll(async () => {
  test = await testContext({ now: () => now, subscribers: [{ runAll: queueDeliveries }] })
})
afterAll(() => test.stop())
beforeEach(async () => {
  now = START
  receiver = await startReceiver()
  const { rows } = await sql<{ id: number }>`INSERT INTO projects (name) VALUES ('Shop') RETURNING id`.execute(
    test.ctx.db,
  )
  projectId = rows[0]?.id ?? 0
  made = await createWebhook(test.ctx, projectId, { url: receiver.url })
})
afterEach(async () => {
  await sql`UPDATE webhooks SET status = 'deleted'`.execute(test.ctx.db)
  await sql`DELETE FROM alarms`.execute(test.ctx.db)
  await receiver.close()
})

const happen = (sequence = 1, referenceId = REFERENCE) =>
  webhookClient.happen(test.ctx, { projectId, referenceId, sequence })
const deliveryOf = (event: StoredEvent) => webhookClient.deliveryOf(test.ctx, event)
const run = async (event: StoredEvent) => {
  await webhookClient.deliverDue(test.ctx)
  return deliveryOf(event)
}
const wait = (ms: number) => void (now = new Date(now.getTime() + ms))
const endpoint = async () => {
  const { rows } = await sql<{ status: string; last_response_code: number | null; failing_since: Date | null }>`
    SELECT status, last_response_code, failing_since FROM webhooks WHERE id = ${made.webhook.id}`.execute(test.ctx.db)
  return rows[0]
}

describe('webhooks.deliver', () => {
  it('posts the event as Standard Webhooks wants it, with the access key beside', async () => {
    const event = await happen()
    now = new Date()
    const delivery = await run(event)
    const [request] = receiver.requests
    expect(request).toMatchObject({ method: 'POST', path: '/hook' })
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Kassa-Webhooks/1',
      'webhook-id': event.eventId,
      'api-key': made.accessKey,
    })
    expect(request?.headers).not.toHaveProperty('x-webhook-test')
    const read = new Webhook(made.secret).verify(request?.body ?? '', request?.headers as Record<string, string>)
    expect(read).toEqual({
      reference_id: REFERENCE,
      status: 'FILLED',
      event_type: 'payment.filled',
      event_id: event.eventId,
      sequence: 1,
    })
    expect(delivery).toMatchObject({ status: 'received', attempt_count: 1, last_response_code: 200, last_error: null })
    expect(delivery.attempts).toMatchObject([{ code: 200, error: null, responseExcerpt: 'ok' }])
    expect(await endpoint()).toEqual({ status: 'active', last_response_code: 200, failing_since: null })
  })

  it('leaves the legacy header out where it is switched off', async () => {
    await sql`UPDATE webhooks SET legacy_headers = false WHERE id = ${made.webhook.id}`.execute(test.ctx.db)
    await run(await happen())
    expect(receiver.requests[0]?.headers).not.toHaveProperty('api-key')
    expect(receiver.requests[0]?.headers).toHaveProperty('webhook-signature')
  })

  it('tries again with the same id and body and a new time, not before it is due', async () => {
    receiver.answerWith({ status: 500, body: 'no\u0000pe' })
    const event = await happen()
    const failed = await run(event)
    expect(failed).toMatchObject({ status: 'pending', attempt_count: 1, last_error: 'The receiver answered 500.' })
    expect(failed.attempts[0]?.responseExcerpt).toBe('nope')
    const delay = (failed.next_retry_at?.getTime() ?? 0) - now.getTime()
    expect(delay).toBeGreaterThanOrEqual(4500)
    expect(delay).toBeLessThanOrEqual(5500)
    expect((await endpoint())?.failing_since).toEqual(START)
    await run(event)
    expect(receiver.requests).toHaveLength(1)
    receiver.answerWith({ status: 204 })
    wait(5500)
    expect(await run(event)).toMatchObject({ status: 'received', attempt_count: 2 })
    const [first, second] = receiver.requests
    expect(second?.body).toBe(first?.body)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    expect((await endpoint())?.failing_since).toBeNull()
  })

  it('waits as long as a busy receiver asks', async () => {
    receiver.answerWith({ status: 429, headers: { 'retry-after': '3600' } })
    const { next_retry_at } = await run(await happen())
    expect(next_retry_at).toEqual(new Date(START.getTime() + 3_600_000))
  })

  it('makes ten attempts and fails then', async () => {
    receiver.answerWith({ status: 404 })
    const event = await happen()
    for (let n = 1; n <= 10; n += 1) {
      expect(await run(event)).toMatchObject({ attempt_count: n, status: n < 10 ? 'pending' : 'failed' })
      wait(27 * 3_600_000)
    }
    await run(event)
    expect(receiver.requests).toHaveLength(10)
    expect(await deliveryOf(event)).toMatchObject({ next_retry_at: null, last_response_code: 404 })
  })

  it('switches an endpoint off that answers 410, discards what waited for it, and tells the leads', async () => {
    receiver.answerWith({ status: 410 })
    const { rows } = await sql<{ id: number }>`
      INSERT INTO operators (email, customer_id, password_hash) VALUES ('lead@shop.example', 'lead', 'x')
      RETURNING id`.execute(test.ctx.db)
    await addProjectRole(test.ctx, { operatorId: rows[0]?.id ?? 0, projectId, role: 'project_lead' })
    const [event, other] = [await happen(), await happen(1, '01920000-0000-7000-8000-000000000002')]
    // An endpoint that fails gets one at a time.
    await sql`UPDATE webhooks SET failing_since = ${START} WHERE id = ${made.webhook.id}`.execute(test.ctx.db)
    expect(await run(event)).toMatchObject({ status: 'failed', next_retry_at: null })
    expect(await endpoint()).toMatchObject({ status: 'inactive', last_response_code: 410 })
    expect(await deliveryOf(other)).toMatchObject({
      status: 'discarded',
      last_error: 'The endpoint is switched off.',
    })
    expect(receiver.requests).toHaveLength(1)
    const gone = (await openAlarms(test.ctx)).find(({ kind }) => kind === 'endpoint_gone')
    expect(gone?.text).toMatch(/returned 410 Gone and was disabled/)
    const mails = test.sentJobs.filter(({ queue }) => queue === mailGoneJob.queue)
    expect(mails.map(({ data }) => data)).toEqual([
      { to: 'lead@shop.example', url: new URL(receiver.url).href, project: 'Shop' },
    ])
    await changeWebhook(test.ctx, await getWebhook(test.ctx, [projectId], made.webhook.id), { status: 'active' })
    expect(await openAlarms(test.ctx)).toEqual([])
  })

  it('takes a redirect for a failure and never follows it', async () => {
    const other = await startReceiver()
    receiver.answerWith({ status: 307, headers: { location: other.url } })
    expect(await run(await happen())).toMatchObject({ status: 'pending', last_response_code: 307 })
    expect(other.requests).toHaveLength(0)
    await other.close()
  })

  it('says why a receiver could not be reached', async () => {
    await receiver.close()
    const delivery = await run(await happen())
    expect(delivery).toMatchObject({ status: 'pending', last_response_code: null })
    expect(delivery.last_error).toMatch(/ECONNREFUSED/)
    expect(delivery.attempts[0]?.error).toBe(delivery.last_error)
  })

  it('says why also when a name leads to several addresses that all refuse', async () => {
    await receiver.close()
    const url = receiver.url.replace('127.0.0.1', 'localhost')
    await sql`UPDATE webhooks SET url = ${url} WHERE id = ${made.webhook.id}`.execute(test.ctx.db)
    expect((await run(await happen())).last_error).toMatch(/ECONNREFUSED/)
  })

  it('makes one attempt when several workers take the same delivery', async () => {
    const event = await happen()
    await Promise.all(Array.from({ length: 5 }, () => run(event)))
    expect(receiver.requests).toHaveLength(1)
  })
})

describe('webhooks.deliver, several workers', () => {
  it('shares deliveries without doubling one, and leaves none', async () => {
    const references = Array.from({ length: 40 }, (_, n) => `01920000-0000-7000-8000-1${String(n).padStart(11, '0')}`)
    for (const reference of references) for (const sequence of [1, 2, 3]) await happen(sequence, reference)
    const workers = Array.from({ length: 4 }, () => createDispatcher(test.ctx))
    await Promise.all(workers.map((worker) => worker.sweep()))
    await Promise.all(workers.map((worker) => worker.idle()))
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([120, 120])
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body) as { reference_id: string; sequence: number })
    const ofEach = Map.groupBy(bodies, (message) => message.reference_id)
    for (const messages of ofEach.values()) expect(messages.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  })

  it('writes the outcomes one by one when they cannot be written together', async () => {
    const [good, failing] = [await happen(1), await happen(1, '01920000-0000-7000-8000-000000000009')]
    await sql`
      CREATE FUNCTION refuse_odd() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'odd'; END $$`.execute(test.ctx.db)
    const { deliveryID } = await deliveryOf(failing)
    await sql`
      CREATE TRIGGER refuse_odd BEFORE INSERT ON delivery_attempts FOR EACH ROW
      WHEN (NEW.delivery_id = ${sql.lit(deliveryID)}) EXECUTE FUNCTION refuse_odd()`.execute(test.ctx.db)
    expect(await run(good)).toMatchObject({ status: 'received' })
    expect((await deliveryOf(failing)).status).toBe('pending')
    await sql`DROP TRIGGER refuse_odd ON delivery_attempts`.execute(test.ctx.db)
    wait(46_000)
    expect(await run(failing)).toMatchObject({ status: 'received', attempt_count: 2 })
  })
})

describe('webhooks.deliver, order', () => {
  it('holds a later event back through the first three attempts of an earlier one, then lets it overtake', async () => {
    const [first, second] = [await happen(1), await happen(2)]
    receiver.answerWith(({ headers }) => ({ status: headers['webhook-id'] === first.eventId ? 500 : 200 }))
    for (const [n, pause] of [1, 2].entries()) {
      expect(await run(first)).toMatchObject({ attempt_count: n + 1 })
      expect(await run(second)).toMatchObject({ status: 'pending', attempt_count: 0 })
      wait(pause === 1 ? 5500 : 330_000)
    }
    // The third attempt fails, and what waited for it goes in the same breath.
    expect(await run(first)).toMatchObject({ status: 'pending', attempt_count: 3 })
    expect(await deliveryOf(second)).toMatchObject({ status: 'received', attempt_count: 1 })
  })

  it('says of each what it waits for', async () => {
    const [first, second] = [await happen(1), await happen(2)]
    const waits = async (event: StoredEvent) => (await deliveryOf(event)).waits
    expect(await waits(first)).toMatchObject({ code: 'in_line' })
    receiver.answerWith({ status: 500 })
    await run(first)
    expect(await waits(first)).toMatchObject({ code: 'next_try', params: { number: 2, most: 10 } })
    expect(await waits(second)).toMatchObject({ code: 'earlier_first', params: { event: first.type } })
    await sql`UPDATE projects SET status = 'archived'`.execute(test.ctx.db)
    expect(await waits(second)).toMatchObject({ code: 'project_archived' })
    await sql`UPDATE projects SET status = 'active'`.execute(test.ctx.db)
    receiver.answerWith({ status: 200 })
    wait(5500)
    await run(first)
    expect(await waits(first)).toBeNull()
  })

  it('holds it back while the third attempt is under way', async () => {
    const [first, second] = [await happen(1), await happen(2)]
    receiver.answerWith({ status: 500 })
    await run(first)
    wait(5500)
    await run(first)
    wait(330_000)
    receiver.answerWith('silence')
    const third = run(first)
    await receiver.hears(3)
    // With all places free, what holds it back is the order, not that a failing endpoint has one.
    await sql`UPDATE webhooks SET failing_since = NULL WHERE id = ${made.webhook.id}`.execute(test.ctx.db)
    expect(await run(second)).toMatchObject({ status: 'pending', attempt_count: 0 })
    expect(receiver.requests).toHaveLength(3)
    await receiver.close()
    await third
  })

  it('holds it back no longer than the first three attempts take, whatever the receiver asks for', async () => {
    const [first, second] = [await happen(1), await happen(2)]
    receiver.answerWith({ status: 503, headers: { 'retry-after': '7200' } })
    await run(first)
    receiver.answerWith({ status: 200 })
    wait(5 * 60_000)
    expect(await run(second)).toMatchObject({ status: 'pending', attempt_count: 0 })
    wait(90_000)
    expect(await run(second)).toMatchObject({ status: 'received' })
    expect(await deliveryOf(first)).toMatchObject({ status: 'pending', attempt_count: 1 })
  })

  it('lets the next one go as soon as the earlier one is received', async () => {
    const [first, second, third] = [await happen(1), await happen(2), await happen(3)]
    expect(await run(third)).toMatchObject({ status: 'received' })
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(
      [first, second, third].map(({ eventId }) => eventId),
    )
  })

  it('lets it go also when the earlier one ends while it is being put off', async () => {
    const [first, second] = [await happen(1), await happen(2)]
    const places = [{ webhookId: made.webhook.id, places: 8 }]
    const { claimed, postponed } = await claimDeliveries(test.ctx, places, new Date(now.getTime() + 45_000))
    expect(claimed.map(({ event_id }) => event_id)).toEqual([first.eventId])
    const dueAt = async () => (await deliveryOf(second)).next_retry_at
    await recheckPostponed(test.ctx, postponed)
    expect((await dueAt())?.getTime()).toBeGreaterThan(now.getTime())
    // Its outcome was written, and looked for followers, a moment before the second one was put off.
    await sql`UPDATE deliveries SET status = 'received' WHERE event_id = ${first.eventId}`.execute(test.ctx.db)
    await recheckPostponed(test.ctx, postponed)
    expect(await dueAt()).toEqual(now)
  })

  it('never lets one payment wait for another', async () => {
    receiver.answerWith({ status: 500 })
    const [first, other] = [await happen(1), await happen(2, '01920000-0000-7000-8000-000000000003')]
    await run(first)
    expect(await deliveryOf(other)).toMatchObject({ attempt_count: 1 })
  })
})

describe('webhooks.deliver, crash of a worker', () => {
  /** What a process leaves behind that dies after it claimed and before it wrote the outcome. */
  const crash = async (event: StoredEvent) => {
    receiver.answerWith('silence')
    const dying = run(event)
    await receiver.hears(receiver.requests.length + 1)
    await sql`
      CREATE TABLE left_behind AS SELECT * FROM deliveries WHERE event_id = ${event.eventId}`.execute(test.ctx.db)
    await receiver.close()
    await dying
    await sql`
      UPDATE deliveries d SET status = l.status, next_retry_at = l.next_retry_at, leased_until = l.leased_until,
        last_error = NULL FROM left_behind l WHERE l.id = d.id`.execute(test.ctx.db)
    await sql`DELETE FROM delivery_attempts WHERE delivery_id IN (SELECT id FROM left_behind)`.execute(test.ctx.db)
    await sql`DROP TABLE left_behind`.execute(test.ctx.db)
    receiver = await startReceiver()
    await sql`UPDATE webhooks SET url = ${receiver.url}, failing_since = NULL WHERE id = ${made.webhook.id}`.execute(
      test.ctx.db,
    )
  }

  it('has the delivery stored before the first byte leaves', async () => {
    const event = await happen()
    receiver.answerWith('silence')
    const sending = run(event)
    await receiver.hears(1)
    expect(await deliveryOf(event)).toMatchObject({ status: 'pending', attempt_count: 1 })
    await receiver.close()
    await sending
  })

  it('repeats it with the same id when its lease has run out, and not before', async () => {
    const event = await happen()
    await crash(event)
    expect(await run(event)).toMatchObject({ status: 'pending', attempt_count: 1 })
    wait(44_000)
    await run(event)
    expect(receiver.requests).toHaveLength(0)
    wait(2000)
    expect(await run(event)).toMatchObject({ status: 'received', attempt_count: 2 })
    expect(receiver.requests[0]?.headers['webhook-id']).toBe(event.eventId)
  })

  it('lets later events go on after it', async () => {
    const event = await happen(1)
    await crash(event)
    const later = await happen(2)
    wait(46_000)
    expect(await run(later)).toMatchObject({ status: 'received' })
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([event.eventId, later.eventId])
  })
})
