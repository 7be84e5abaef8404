import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { customersRoutes } from '@kassa/contract/customers/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { testApp, type TestApp } from '../../../testing/app.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'

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

const create = (customerID: string, { key = shop.apiKey, headers = {}, amountInUSD = '49' } = {}) => {
  const body = { customerID, customerEmail: `${customerID.replaceAll(/\W/g, '')}@mail.example`, amountInUSD }
  return app.call(paymentsRoutes.createPayment, { body }, { key, headers })
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}-${at}`)

/** What is stored of payments, oldest first: whose, in which transaction, how many first events and answers. */
async function stored(references: readonly string[]) {
  const { rows } = await sql<{ customer: string; transaction: string; events: bigint; answers: bigint }>`
    SELECT customer.customer_id AS customer, payment.xmin::text AS transaction,
      (SELECT count(*) FROM events
        WHERE reference_id = payment.reference_id AND payload->>'customer_id' = customer.customer_id) AS events,
      (SELECT count(*) FROM idempotency_keys
        WHERE body->>'reference_id' = payment.reference_id::text AND status = 200) AS answers
    FROM payments AS payment JOIN customers AS customer ON customer.id = payment.customer_id
    WHERE payment.reference_id = ANY(${references}::uuid[]) ORDER BY payment.id`.execute(app.ctx.db)
  return rows
}

describe('payments.createPayment: calls at the same time', () => {
  it('are stored in few transactions, each with its own customer, event, answer and entry', async () => {
    const { body } = await app.call(
      apiKeysRoutes.createApiKey,
      { params: { p: shop.p }, body: { name: 'Second' } },
      { key: operator },
    )
    await create('of the second key', { key: body.key ?? '' })
    const keys = [shop.apiKey, body.key ?? '']
    const made = await Promise.all(names('many', 16).map((name, at) => create(name, { key: keys[at % 2] ?? '' })))
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 200))
    const rows = await stored(made.map((answer) => answer.body.reference_id))
    expect(rows.map(({ customer }) => customer).toSorted()).toEqual(names('many', 16).toSorted())
    expect(rows.every(({ events, answers }) => events === 1n && answers === 1n)).toBe(true)
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBeLessThanOrEqual(4)
    const ids = made.map(({ headers }) => headers['x-request-id'])
    const { rows: entries } = await sql<{ key: number; count: bigint }>`
      SELECT key_id AS key, count(*) FROM audit_entries WHERE request_id = ANY(${ids}::text[]) GROUP BY 1`.execute(
      app.ctx.db,
    )
    expect(entries.map(({ count }) => count)).toEqual([8n, 8n])
  })

  it('are refused one by one', async () => {
    const blocked = await create('blocked')
    const [{ id } = { id: 0 }] = (
      await sql<{ id: number }>`SELECT id FROM customers WHERE customer_id = 'blocked'`.execute(app.ctx.db)
    ).rows
    await app.call(
      customersRoutes.changeCustomer,
      { params: { p: shop.p, id: String(id) }, body: { state: 'blocked' } },
      { key: operator },
    )
    expect(blocked.status).toBe(200)
    const answers = await Promise.all(
      ['beside-1', 'blocked', 'beside-2'].map((name) => create(name, { amountInUSD: '50' })),
    )
    expect(answers.map(({ status, refusal }) => refusal?.code ?? status)).toEqual([200, 'CUSTOMER_BLOCKED', 200])
  })

  it('leave a customer one open link, and each of two customers of one transaction theirs', async () => {
    const asked = ['same', 'other', 'same', 'same'].map((name, at) => create(name, { amountInUSD: String(60 + at) }))
    const made = await Promise.all(asked)
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { rows } = await sql<{ customer_id: string; open: bigint }>`
      SELECT customer.customer_id, count(*) AS open FROM payments JOIN customers AS customer ON customer.id = payments.customer_id
      WHERE payments.status = 'OPEN' AND customer.customer_id IN ('same', 'other') GROUP BY 1 ORDER BY 1`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([
      { customer_id: 'other', open: 1n },
      { customer_id: 'same', open: 1n },
    ])
  })

  it('answer a repeated key with its own first answer, beside others', async () => {
    const keyed = (name: string) => create(name, { headers: { 'idempotency-key': `key-of-${name}` } })
    const first = await Promise.all(names('keyed', 5).map(keyed))
    const again = await Promise.all([...names('keyed', 5).map(keyed), create('not keyed')])
    expect(again.slice(0, 5).map(({ body }) => body.reference_id)).toEqual(first.map(({ body }) => body.reference_id))
    expect(again.map(({ headers }) => headers['idempotency-replayed'])).toEqual([...first.map(() => 'key'), undefined])
  })

  it('are each delivered to an endpoint', async () => {
    const body = { url: 'https://shop.example/hook', events: ['payment.created'] }
    await app.call(webhooksRoutes.createWebhook, { params: { p: shop.p }, body }, { key: operator })
    const made = await Promise.all(names('delivered', 6).map((name) => create(name)))
    const { rows } = await sql<{ count: bigint }>`
      SELECT count(DISTINCT reference_id) FROM deliveries
      WHERE reference_id = ANY(${made.map((answer) => answer.body.reference_id)}::uuid[])`.execute(app.ctx.db)
    expect(rows).toEqual([{ count: 6n }])
  })
})
