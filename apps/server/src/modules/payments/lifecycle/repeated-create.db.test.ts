import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await testApp()
  shop = await openShop(app, await app.signUp())
})
afterAll(() => app.stop())

const body = { customerID: 'c1', customerEmail: 'payer@example.com', amountInUSD: '31.5' }
const create = async () =>
  (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
const copies = () => Promise.all(Array.from({ length: 6 }, create))

describe('payments.create: copies of one call at once', () => {
  it('make one link', async () => {
    expect(new Set(await copies()).size).toBe(1)
  })

  it('make a link, one after the other, where the one they would repeat has ended', async () => {
    const ended = await create()
    const call = { params: { ref: ended }, body: {} }
    await app.call(paymentsRoutes.cancelPaymentByReference, call, { key: shop.apiKey })
    const next = await create()
    expect(next).not.toBe(ended)
    expect(await create()).toBe(next)
  })

  it('make one link after the one they would repeat has ended', async () => {
    const ended = await create()
    const call = { params: { ref: ended }, body: {} }
    await app.call(paymentsRoutes.cancelPaymentByReference, call, { key: shop.apiKey })
    const made = new Set(await copies())
    expect(made.size).toBe(1)
    expect(made).not.toContain(ended)
  })
})
