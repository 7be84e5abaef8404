import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'

let app: TestApp
let operator: string
let shop: Shop
let customers = 0

beforeAll(async () => {
  app = await testApp()
  operator = await app.signUp()
  shop = await openShop(app, operator)
})
afterAll(() => app.stop())

type More = { readonly amountInUSD?: string; readonly replace?: boolean }

/** A customer for whom a shop's server and an operator make links. */
function newCustomer() {
  customers += 1
  const customerID = `customer-${customers}`
  const link = { customerID, customerEmail: `${customerID}@example.com`, amountInUSD: '49' }
  return {
    byServer: (more: More = {}) =>
      app.call(paymentsRoutes.createPayment, { body: { ...link, ...more } }, { key: shop.apiKey }),
    byOldServer: (more: More = {}) =>
      app.call(paymentsRoutes.createLegacyPayment, { body: { ...link, ...more } }, { key: shop.apiKey }),
    byOperator: (more: More = {}) =>
      app.call(
        paymentsRoutes.createProjectPayment,
        { params: { p: shop.p }, body: { ...link, ...more } },
        { key: operator },
      ),
  }
}

const stateOf = async (ref: string) =>
  (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref } })).body.paymentState
const eventsOf = async (ref: string) =>
  (await sql<{ type: string }>`SELECT type FROM events WHERE reference_id = ${ref} ORDER BY id`.execute(app.ctx.db))
    .rows

describe('payments.create for a customer with an open link', () => {
  it('refuses an operator with the newest link, changes nothing, and replaces on request', async () => {
    const { byServer, byOperator } = newCustomer()
    const { reference_id: open } = (await byServer()).body
    const { status, refusal } = await byOperator({ amountInUSD: '50' })
    expect([status, refusal?.code]).toEqual([409, 'CUSTOMER_HAS_OPEN_LINK'])
    expect(refusal?.message).toBe(`This customer already has an open link: ${open}.`)
    expect(refusal?.details).toContain('"replace": true')
    expect(refusal?.data).toEqual({ referenceID: open, amountInUSD: '49.00', openLinks: 1 })
    expect(await stateOf(open)).toBe('OPEN')
    expect(await eventsOf(open)).toEqual([{ type: 'payment.created' }])
    const made = await byOperator({ amountInUSD: '50', replace: true })
    expect(made.body.superseded).toEqual([open])
    expect(await stateOf(open)).toBe('CANCELLED')
  })

  it('asks a shop’s server only where it wants to be asked', async () => {
    const { byServer, byOldServer } = newCustomer()
    const { reference_id: first } = (await byServer()).body
    const [asked, askedOld] = [
      await byServer({ amountInUSD: '50', replace: false }),
      await byOldServer({ amountInUSD: '50', replace: false }),
    ]
    for (const { status, refusal } of [asked, askedOld]) {
      expect([status, refusal?.data?.['referenceID']]).toEqual([409, first])
    }
    const { body: second } = await byServer({ amountInUSD: '50' })
    expect(second.superseded).toEqual([first])
    await byOldServer({ amountInUSD: '51' })
    expect(await stateOf(second.reference_id)).toBe('CANCELLED')
  })

  it('accepts one of two operators who ask at once', async () => {
    const { byServer, byOperator } = newCustomer()
    const { reference_id: before } = (await byServer()).body
    await app.call(paymentsRoutes.cancelPaymentByReference, { params: { ref: before }, body: {} }, { key: shop.apiKey })
    const made = await Promise.all(['1', '2', '3'].map((amountInUSD) => byOperator({ amountInUSD })))
    expect(made.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(made.filter(({ refusal }) => refusal?.code === 'CUSTOMER_HAS_OPEN_LINK')).toHaveLength(2)
  })

  it('is not refused for a link with money or an expired one, and ends neither', async () => {
    const { byServer, byOperator } = newCustomer()
    const { reference_id: paid } = (await byServer()).body
    await sql`UPDATE payments SET seen_units = 1 WHERE reference_id = ${paid}`.execute(app.ctx.db)
    const { reference_id: over } = (await byOperator()).body
    await sql`UPDATE payments SET expires_at = ${app.ctx.now()} WHERE reference_id = ${over}`.execute(app.ctx.db)
    expect((await byOperator({ amountInUSD: '50' })).body.superseded).toEqual([])
    expect(await Promise.all([stateOf(paid), stateOf(over)])).toEqual(['OPEN', 'OPEN'])
  })

  it('is not refused where the project keeps many, and counts them all where it no longer does', async () => {
    const { byOperator } = newCustomer()
    const keep = (openPaymentsPerCustomer: 'one' | 'many') =>
      app.call(
        projectsRoutes.changePaymentPolicy,
        { params: { p: shop.p }, body: { openPaymentsPerCustomer } },
        { key: operator },
      )
    await keep('many')
    await byOperator()
    const { reference_id: newest } = (await byOperator({ amountInUSD: '50' })).body
    await keep('one')
    const { refusal } = await byOperator({ amountInUSD: '51' })
    expect(refusal?.data).toEqual({ referenceID: newest, amountInUSD: '50.00', openLinks: 2 })
    expect((await byOperator({ amountInUSD: '51', replace: true })).body.superseded).toHaveLength(2)
  })

  it('accepts only true and false', async () => {
    const { byOperator } = newCustomer()
    const { refusal } = await byOperator({ replace: 'yes' as never })
    expect(refusal?.fields).toEqual({ replace: 'Replace must be true or false' })
  })
})
