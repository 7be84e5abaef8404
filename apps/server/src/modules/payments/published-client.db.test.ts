import type { AddressInfo } from 'node:net'

import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { isPayramSDKError, Payram } from 'payram'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { fakeChain, type FakeChain } from '../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

let app: TestApp
let shop: Shop
let base: FakeChain
let baseUrl: string

const client = (apiKey: string) =>
  new Payram({ apiKey, baseUrl, config: { allowInsecureHttp: true, maxRetries: 0, timeoutMs: 10_000 } })
const payment = { customerEmail: 'customer@example.com', customerId: 'cust_123', amountInUSD: 49.99 }

beforeAll(async () => {
  app = await testApp()
  shop = await openShop(app, await app.signUp())
  base = await fakeChain(app.ctx, 4)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  baseUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await app.stop()
})

describe('payments through the published client', () => {
  it('makes a payment and reads it back filled', async () => {
    const checkout = await client(shop.apiKey).payments.initiatePayment(payment)
    expect(checkout.url).toContain(`/payments?reference_id=${checkout.reference_id}`)
    expect(checkout.host).toMatch(/^http/)
    const open = await client(shop.apiKey).payments.getPaymentRequest(checkout.reference_id)
    expect(open).toMatchObject({ paymentState: 'OPEN', customerID: 'cust_123', amountInUSD: '49.99' })
    const pinned = await app.call(paymentsRoutes.pinPayment, {
      params: { ref: checkout.reference_id },
      body: { blockchain_code: 'BASE', currency_code: 'USDC' },
    })
    await base.mine([{ to: pinned.body.Address, assetId: 8, units: 49_990_000n }])
    await base.mine()
    const paid = await client(shop.apiKey).payments.getPaymentRequest(checkout.reference_id)
    expect(paid).toMatchObject({ paymentState: 'FILLED', filledAmount: '49.99', currencySymbol: 'USDC' })
    expect(paid.createdAt).toBeInstanceOf(Date)
  })

  it('gets the same link when it sends a create again', async () => {
    const again = { ...payment, customerId: 'cust_124' }
    const [one, two] = await Promise.all([1, 2].map(() => client(shop.apiKey).payments.initiatePayment(again)))
    expect(two?.reference_id).toBe(one?.reference_id)
  })

  it('reads the reason of a refusal', async () => {
    const refused = await client('kp_test_nobody')
      .payments.initiatePayment(payment)
      .catch((error: unknown) => error)
    expect(isPayramSDKError(refused) && refused.status).toBe(401)
    const invalid = await client(shop.apiKey)
      .payments.initiatePayment({ ...payment, amountInUSD: 0 })
      .catch((error: unknown) => error)
    expect(isPayramSDKError(invalid) && [invalid.status, invalid.message]).toEqual([
      400,
      expect.stringContaining('Amount must be greater than 0'),
    ])
  })
})
