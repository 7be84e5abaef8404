import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { inTransaction, type StoredEvent } from '../../context.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { type Receiver, startReceiver } from '../../testing/receiver.ts'
import { beginDelivery, takeUpOverdue } from './deliver.ts'
import { type CreatedWebhook, createWebhook } from './endpoints.ts'
import { deliveriesOf, queueDeliveries } from './service.ts'

const REFERENCE = '01920000-0000-7000-8000-000000000001'
const START = new Date('2026-01-31T09:00:00.000Z')

let test: TestContext
let now = START
let projectId: number
let receiver: Receiver
let made: CreatedWebhook

beforeAll(async () => {
  test = await testContext({ now: () => now, subscriptions: [{ run: queueDeliveries }] })
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
afterEach(() => receiver.close())

/** The `sequence`-th thing that happened to a payment, written as its own transaction. */
const happen = (sequence = 1, referenceId = REFERENCE): Promise<StoredEvent> =>
  inTransaction(test.ctx, (ctx) =>
    ctx.events.emit(ctx, {
      type: 'payment.filled',
      projectId,
      orderKey: referenceId,
      referenceId,
      sequence,
      payload: { reference_id: referenceId, status: 'FILLED' },
    }),
  )
const deliveryOf = async (event: StoredEvent) => {
  const found = (await deliveriesOf(test.ctx, event.referenceId ?? '')).find(({ id }) => id === event.eventId)
  if (!found) throw new Error('No delivery')
  return found
}
const jobOf = async (event: StoredEvent) => {
  const { deliveryID, webhookID } = await deliveryOf(event)
  return { deliveryId: String(deliveryID), webhookId: webhookID }
}
const run = async (event: StoredEvent) => {
  await (
    await beginDelivery(test.ctx, await jobOf(event))
  )?.ended
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

  it('switches an endpoint off that answers 410, and discards what waited for it', async () => {
    receiver.answerWith({ status: 410 })
    const [event, other] = [await happen(), await happen(1, '01920000-0000-7000-8000-000000000002')]
    expect(await run(event)).toMatchObject({ status: 'failed', next_retry_at: null })
    expect(await endpoint()).toMatchObject({ status: 'inactive', last_response_code: 410 })
    expect(await run(other)).toMatchObject({ status: 'discarded', last_error: 'The endpoint is switched off.' })
    expect(receiver.requests).toHaveLength(1)
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
    const job = await jobOf(event)
    const begun = await Promise.all(Array.from({ length: 5 }, () => beginDelivery(test.ctx, job)))
    for (const one of begun) await one?.ended
    expect(receiver.requests).toHaveLength(1)
  })
})

describe('webhooks.deliver, order', () => {
  it('holds a later event back through the first three attempts of an earlier one, then lets it overtake', async () => {
    const [first, second] = [await happen(1), await happen(2)]
    receiver.answerWith(({ headers }) => ({ status: headers['webhook-id'] === first.eventId ? 500 : 200 }))
    for (let n = 1; n <= 3; n += 1) {
      expect(await run(second)).toMatchObject({ status: 'pending', attempt_count: 0 })
      const sent = test.sentJobs.length
      expect(await run(first)).toMatchObject({ attempt_count: n })
      const woken = test.sentJobs.slice(sent).map(({ data }) => data)
      expect(woken).toContainEqual(await jobOf(second))
      wait(10 * 60_000)
    }
    expect(await run(second)).toMatchObject({ status: 'received', attempt_count: 1 })
    expect((await deliveryOf(first)).status).toBe('pending')
  })

  it('holds it back while the third attempt is under way', async () => {
    const [first, second] = [await happen(1), await happen(2)]
    receiver.answerWith({ status: 500 })
    await run(first)
    wait(10 * 60_000)
    await run(first)
    wait(10 * 60_000)
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

  it('lets the next one go as soon as the earlier one is received', async () => {
    const [first, second] = [await happen(1), await happen(2)]
    await run(first)
    expect(await run(second)).toMatchObject({ status: 'received' })
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([first.eventId, second.eventId])
  })

  it('never lets one payment wait for another', async () => {
    receiver.answerWith({ status: 500 })
    const [first, other] = [await happen(1), await happen(2, '01920000-0000-7000-8000-000000000003')]
    await run(first)
    expect(await run(other)).toMatchObject({ attempt_count: 1 })
  })
})

describe('webhooks.takeUpOverdue', () => {
  /** What a process leaves behind that dies after it claimed and before it wrote the outcome. */
  const crash = async (event: StoredEvent) => {
    const { deliveryID } = await deliveryOf(event)
    const leaseUntil = new Date(now.getTime() + 60_000)
    await sql`UPDATE deliveries SET attempt_count = attempt_count + 1, next_retry_at = ${leaseUntil} WHERE id = ${deliveryID}`.execute(
      test.ctx.db,
    )
    return jobOf(event)
  }
  const takenUp = async () => {
    const before = test.sentJobs.length
    await takeUpOverdue(test.ctx)
    return test.sentJobs.slice(before).map(({ data }) => data)
  }

  it('takes up a delivery whose worker died, when its lease has run out and not before', async () => {
    const event = await happen()
    const job = await crash(event)
    expect(await run(event)).toMatchObject({ status: 'pending', attempt_count: 1 })
    expect(await takenUp()).not.toContainEqual(job)
    wait(62_000)
    expect(await takenUp()).toContainEqual(job)
    expect(await run(event)).toMatchObject({ status: 'received', attempt_count: 2 })
    expect(await takenUp()).not.toContainEqual(job)
    expect(receiver.requests[0]?.headers['webhook-id']).toBe(event.eventId)
  })

  it('leaves those alone that wait for an earlier one', async () => {
    const [first, second] = [await happen(1), await happen(2)]
    wait(2000)
    const taken = await takenUp()
    expect(taken).toContainEqual(await jobOf(first))
    expect(taken).not.toContainEqual(await jobOf(second))
  })
})
