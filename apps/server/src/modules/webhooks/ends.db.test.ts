import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { StoredEvent } from '../../context.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import * as webhookClient from '../../testing/services/webhook-client.ts'
import { type Receiver, startReceiver } from '../../testing/receiver.ts'
import { openAlarms } from '../alarms/service.ts'
import { sandboxEmails } from '../mail/service.ts'
import { addProjectRole } from '../operators/accounts/service.ts'
import { changeWebhook, deleteWebhook } from './endpoints/change-endpoint.ts'
import { type CreatedWebhook, createWebhook } from './endpoints/service.ts'
import { mailFailingJob } from './endpoints/emails.ts'
import { disableGone } from './endpoints/health.ts'
import { purgeJob, checkJob } from './jobs.ts'
import { getWebhook } from './record/service.ts'
import { healthOf } from './record/rules.ts'
import { deliveriesOf, queueDeliveries } from './deliveries/service.ts'

const REFERENCE = '01920000-0000-7000-8000-000000000001'
const OTHER_REFERENCE = '01920000-0000-7000-8000-000000000002'
const THIRD_REFERENCE = '01920000-0000-7000-8000-000000000003'
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
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const wait = (ms: number) => void (now = new Date(now.getTime() + ms))

describe('webhooks.deliver, endpoints that end', () => {
  const pending = async () => {
    receiver.answerWith({ status: 500 })
    const event = await happen()
    expect(await run(event)).toMatchObject({ status: 'pending' })
    return event
  }
  const webhook = async () => getWebhook(test.ctx, [projectId], made.webhook.id)

  it('discards pending deliveries when an endpoint is deleted, and keeps its history', async () => {
    const event = await pending()
    await deleteWebhook(test.ctx, await webhook())
    const { status, last_error, next_retry_at, attempts } = await deliveryOf(event)
    expect([status, last_error, next_retry_at]).toEqual(['discarded', 'The endpoint is switched off.', null])
    expect(attempts).toHaveLength(1)
    wait(6000)
    await run(event)
    expect(receiver.requests).toHaveLength(1)
  })

  it('leaves an endpoint alone that was moved or deleted while its former receiver returned 410 Gone', async () => {
    const former = await webhook()
    const url = `${receiver.url}/new`
    await changeWebhook(test.ctx, former, { url })
    const event = await happen()
    await disableGone(test.ctx, former)
    expect(await webhook()).toMatchObject({ status: 'active', url })
    expect((await deliveryOf(event)).status).toBe('pending')
    const moved = await webhook()
    await deleteWebhook(test.ctx, moved)
    await disableGone(test.ctx, moved)
    await expect(webhook()).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' })
    expect(await openAlarms(test.ctx)).toEqual([])
  })

  it('discards pending and later deliveries when an endpoint is disabled', async () => {
    const event = await pending()
    await changeWebhook(test.ctx, await webhook(), { status: 'inactive' })
    const later = await happen(2)
    expect([(await deliveryOf(event)).status, (await deliveryOf(later)).status]).toEqual(['discarded', 'discarded'])
  })

  it('says received of what was under way and accepted while the endpoint was switched off', async () => {
    const event = await happen()
    receiver.answerWith('silence')
    const sending = run(event)
    await receiver.hears(1)
    await changeWebhook(test.ctx, await webhook(), { status: 'inactive' })
    expect((await deliveryOf(event)).status).toBe('discarded')
    receiver.answerPending({ status: 200 })
    await sending
    expect(await deliveryOf(event)).toMatchObject({ status: 'received', attempts: [{ code: 200 }] })
  })

  it('discards deliveries that were stored while their endpoint was being disabled', async () => {
    const event = await happen()
    await sql`UPDATE webhooks SET status = 'inactive' WHERE id = ${made.webhook.id}`.execute(test.ctx.db)
    await checkJob.run(test.ctx, {})
    expect((await deliveryOf(event)).status).toBe('discarded')
  })

  it('sends what was stored, claimed or put off while the clock was a day or more ahead, and nothing else early', async () => {
    wait(2 * DAY)
    const [failed, stored] = [await pending(), await happen(1, OTHER_REFERENCE)]
    const claimed = await happen(1, THIRD_REFERENCE)
    await sql`
      UPDATE deliveries SET created_at = ${START}, attempt_count = 1, leased_until = next_retry_at + '45 s',
        next_retry_at = next_retry_at + '45 s', ordered_until = next_retry_at + '6 min'
      WHERE event_id = ${claimed.eventId}`.execute(test.ctx.db)
    now = START
    receiver.answerWith({ status: 200 })
    await run(stored)
    expect((await deliveryOf(stored)).status).toBe('pending')
    await checkJob.run(test.ctx, {})
    await run(stored)
    for (const event of [failed, stored, claimed]) expect((await deliveryOf(event)).status).toBe('received')

    const waiting = await pending()
    const before = await deliveryOf(waiting)
    await checkJob.run(test.ctx, {})
    expect(await deliveryOf(waiting)).toEqual(before)
  })

  it('leaves the place in the order of an event whose time is set right, because later ones may have been sent', async () => {
    const event = await pending()
    const orderedUntil = async () =>
      (
        await sql<{ at: Date }>`SELECT ordered_until AS at FROM deliveries WHERE event_id = ${event.eventId}`.execute(
          test.ctx.db,
        )
      ).rows[0]?.at
    const before = new Date(START.getTime() - MINUTE)
    await sql`UPDATE deliveries SET ordered_until = ${before}, next_retry_at = ${new Date(START.getTime() + 2 * DAY)}
      WHERE event_id = ${event.eventId}`.execute(test.ctx.db)
    await checkJob.run(test.ctx, {})
    expect(await orderedUntil()).toEqual(before)
  })

  it('raises no second alarm, and ends the first, when the endpoint is deleted', async () => {
    await pending()
    wait(6 * DAY)
    await checkJob.run(test.ctx, {})
    await checkJob.run(test.ctx, {})
    expect(await openAlarms(test.ctx)).toHaveLength(1)
    await deleteWebhook(test.ctx, await webhook())
    await checkJob.run(test.ctx, {})
    expect(await openAlarms(test.ctx)).toEqual([])
  })

  it('raises an alarm after 15 minutes of nothing but failures, calls it failing after five days, and never disables it', async () => {
    const event = await pending()
    wait(15 * MINUTE - 1000)
    await checkJob.run(test.ctx, {})
    expect(await openAlarms(test.ctx)).toEqual([])
    wait(1000)
    await checkJob.run(test.ctx, {})
    const host = new URL(receiver.url).host
    expect(await openAlarms(test.ctx)).toMatchObject([
      {
        kind: 'endpoint_failing',
        subject: `${host} (webhook ${made.webhook.id})`,
        text: expect.stringMatching(/ of .+ has accepted nothing for 15 minutes/) as string,
      },
    ])
    wait(5 * DAY - 15 * MINUTE - 1000)
    expect(healthOf(await webhook(), now)).toBe('ok')
    wait(1000)
    expect(healthOf(await webhook(), now)).toBe('failing')
    expect((await webhook()).status).toBe('active')
    receiver.answerWith({ status: 200 })
    expect(await run(event)).toMatchObject({ status: 'received' })
    expect(await openAlarms(test.ctx)).toEqual([])
    expect(healthOf(await webhook(), now)).toBe('ok')
  })

  it('mails the leads once when nothing was accepted for five days, and again only after it was accepted meanwhile', async () => {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO operators (email, customer_id, password_hash) VALUES ('lead@shop.example', 'lead', 'x')
      RETURNING id`.execute(test.ctx.db)
    await addProjectRole(test.ctx, { operatorId: rows[0]?.id ?? 0, projectId, role: 'project_lead' })
    const mails = () => test.sentJobs.filter(({ queue }) => queue === mailFailingJob.queue)
    const event = await pending()
    wait(5 * DAY - 1000)
    await checkJob.run(test.ctx, {})
    expect(mails()).toEqual([])
    wait(1000)
    await checkJob.run(test.ctx, {})
    await checkJob.run(test.ctx, {})
    expect(mails().map(({ data }) => data)).toEqual([
      {
        ...{ to: 'lead@shop.example', url: new URL(receiver.url).href, project: 'Shop' },
        ...{ since: START.toISOString(), code: 500 },
      },
    ])

    receiver.answerWith({ status: 200 })
    expect(await run(event)).toMatchObject({ status: 'received' })
    receiver.answerWith('silence')
    await receiver.close()
    await run(await happen(2))
    const since = now.toISOString()
    wait(5 * DAY - 1000)
    await checkJob.run(test.ctx, {})
    expect(mails()).toHaveLength(1)
    wait(1000)
    await checkJob.run(test.ctx, {})
    expect(mails()[1]?.data).toMatchObject({ since, code: null })

    for (const { data } of mails()) await mailFailingJob.run(test.ctx, data as never)
    const [second, first] = await sandboxEmails(test.ctx)
    expect(first).toMatchObject({
      recipient: 'lead@shop.example',
      message: {
        subject: 'A webhook endpoint of Shop has failed for five days',
        paragraphs: [
          `${new URL(receiver.url).href} has accepted nothing since 2026-01-31 09:00 UTC, so that your shop may not know of payments. The last attempt was answered with 500.`,
          expect.stringContaining('It stays on') as string,
        ],
      },
    })
    expect(second?.message.paragraphs[0]).toMatch(/The last attempt got no answer\.$/)
  })

  it('removes deliveries after 90 days, not one that still waits', async () => {
    const old = await happen()
    await run(old)
    const waiting = await happen(2)
    wait(90 * DAY + 1000)
    const fresh = await happen(3)
    await purgeJob.run(test.ctx, {})
    const left = (await deliveriesOf(test.ctx, REFERENCE)).map(({ id }) => id)
    expect(left).not.toContain(old.eventId)
    expect(left).toEqual(expect.arrayContaining([waiting.eventId, fresh.eventId]))
  })
})
