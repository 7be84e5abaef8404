import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { testApp, type TestApp } from '../../../testing/app.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { recordStatements } from '../../../testing/statements.ts'

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
  it('asks the database eight times for a new customer', async () => {
    expect(outline(await create('new'))).toEqual([
      'api_keys',
      'begin',
      'idempotency_keys',
      'customers',
      'payments',
      'events',
      // One statement stores the entry of the activity log and the answer to a repeated request.
      'audit_entries',
      'commit',
    ])
  })

  it('asks at most four times more to end the older link of a customer it knows', async () => {
    await create('known')
    const again = await create('known')
    expect(outline(again).filter((table) => table === 'payments')).toHaveLength(3)
    expect(again.length).toBeLessThanOrEqual(12)
  })

  it('asks once more when an endpoint receives the event', async () => {
    const body = { url: 'https://shop.example/hook', events: ['payment.created'] }
    await app.call(webhooksRoutes.createWebhook, { params: { p: shop.p }, body }, { key: operator })
    await create('loads the configuration again')
    expect((await create('notified')).length).toBeLessThanOrEqual(9)
  })
})
