import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { testApp, type TestApp } from '../../../testing/app.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { recordStatements } from '../../../testing/database/record-statements.ts'
import { eventOf } from '../funding/payment-events.ts'
import { getByReference } from '../payment/service.ts'

const statements = recordStatements()
let app: TestApp
let operator: string
let shop: Shop

beforeAll(async () => {
  app = await testApp()
  operator = await app.signUp()
  shop = await openShop(app, operator)
  await create('the first, who has the configuration loaded')
})

afterAll(() => app.stop())

/** What creating a payment for a customer asks of the database. */
async function create(customerID: string): Promise<string[]> {
  const body = { customerID, customerEmail: 'payer@mail.example', amountInUSD: String(49 + Math.random()).slice(0, 6) }
  statements.take()
  const { status } = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
  expect(status).toBe(200)
  return statements.take()
}

/** Each statement by the table it writes, or else reads: what a reader of a failure looks for. */
function outline(texts: readonly string[]): string[] {
  const named = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]
  return texts.map(
    (text) =>
      named(text, /\b(?:into|update)\s+"?([a-z_]+)/i) ??
      named(text.replace(/\(.*?\)/, ''), /\bfrom\s+"?([a-z_]+)/i) ??
      text,
  )
}

describe('payments.createPayment', () => {
  it('asks the database seven times for a new customer', async () => {
    expect(outline(await create('new'))).toEqual([
      'api_keys',
      'begin',
      'idempotency_keys',
      'customers',
      // One statement stores the event and the payment.
      'events',
      // One statement stores the entry of the activity log and the answer to a repeated request.
      'audit_entries',
      'commit',
    ])
  })

  it('asks at most four times more to end the older link of a customer it knows', async () => {
    await create('known')
    const again = await create('known')
    expect(outline(again).filter((table) => table === 'payments')).toHaveLength(2)
    expect(again.length).toBeLessThanOrEqual(11)
  })

  it('asks once more when an endpoint receives the event', async () => {
    const body = { url: 'https://shop.example/hook', events: ['payment.created'] }
    await app.call(webhooksRoutes.createWebhook, { params: { p: shop.p }, body }, { key: operator })
    await create('loads the configuration again')
    expect((await create('notified')).length).toBeLessThanOrEqual(8)
  })

  it('tells payment.created of the payment as its row begins, which is not read back', async () => {
    const more = {
      invoiceID: 'A-1',
      description: 'Pro plan',
      metadata: { order: 'A-1' },
      successURL: 'https://a.example',
    }
    const body = { customerID: 'first', customerEmail: 'payer@mail.example', amountInUSD: '49.50', ...more }
    const { body: made } = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
    const payment = await getByReference(app.ctx, made.reference_id)
    const known = { deposits: [], tips: new Map(), previousStatus: 'OPEN' } as const
    const { rows } = await sql<{ payload: { timestamp: number } }>`
      SELECT payload FROM events WHERE reference_id = ${made.reference_id}`.execute(app.ctx.db)
    const { payload } = eventOf(app.ctx, payment, 'payment.created', known)
    expect(rows).toEqual([{ payload: { ...payload, timestamp: rows[0]?.payload.timestamp } }])
  })
})
