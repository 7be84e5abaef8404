import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { polygon } from '@kassa/primitives/chains/definitions/polygon.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { Context } from '../../context.ts'
import { createRateLimiter } from '../../http/rate-limit/rate-limit.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { type SandboxApp, sandboxApp } from '../../testing/sandbox-app.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

const PAY = { blockchain_code: 'POLYGON', currency_code: 'USDC' }

let sandbox: SandboxApp
let app: TestApp
let shop: Shop

beforeAll(async () => {
  sandbox = await sandboxApp({ sandboxChains: [polygon.id] })
  ;({ app } = sandbox)
  shop = await openShop(app, sandbox.key)
  await vi.waitUntil(async () => (await running()).includes('POLYGON'), { timeout: 20_000 })
  await app.start('watcher')
}, 60_000)
afterAll(() => sandbox.stop())

const running = async () =>
  (await app.call(sandboxRoutes.getSandbox, {}, { key: sandbox.key })).body.chains.map(({ code }) => code)

async function newPayment(amountInUSD = '20'): Promise<string> {
  const body = { customerID: `c-${amountInUSD}`, customerEmail: 'c@x.example', amountInUSD }
  return (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
}
const pin = (ref: string) =>
  vi.waitFor(async () => {
    const pinned = await app.call(paymentsRoutes.pinPayment, { params: { ref }, body: PAY })
    expect(pinned.refusal).toBeUndefined()
  }, 20_000)
const payTest = (ref: string) => app.call(sandboxRoutes.payWithTestMoney, { params: { ref } })
const stateOf = async (ref: string) => (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref } })).body
const isPaid = (ref: string) =>
  vi.waitFor(async () => expect(await stateOf(ref)).toMatchObject({ paymentState: 'FILLED' }), {
    timeout: 40_000,
    interval: 300,
  })
const page = (ref: string, form?: Record<string, string>) =>
  app.http.inject({
    method: form ? 'POST' : 'GET',
    url: `/payments?reference_id=${ref}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    ...(form && { payload: new URLSearchParams(form).toString() }),
  })

describe('sandbox.payWithTestMoney (X9)', () => {
  it('pays exactly what is missing on a real chain, without a session, once a currency is chosen', async () => {
    const ref = await newPayment()
    expect((await payTest(ref)).refusal).toMatchObject({
      code: 'PAYMENT_NOT_OPEN',
      details: 'Choose a currency first.',
    })
    await pin(ref)
    const { body } = await payTest(ref)
    expect(body).toEqual({ blockchainCode: 'POLYGON', txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    await isPaid(ref)
    expect(await stateOf(ref)).toMatchObject({ filledAmount: '20' })
    expect((await payTest(ref)).refusal?.code).toBe('PAYMENT_NOT_OPEN')
  }, 90_000)

  it('is a button of the payer’s page, which needs no script', async () => {
    const ref = await newPayment('7')
    await pin(ref)
    expect((await page(ref)).payload).toContain('Pay with test money')
    const pressed = await page(ref, { testMoney: '1' })
    expect([pressed.statusCode, pressed.headers.location]).toEqual([303, `/payments?reference_id=${ref}`])
    await isPaid(ref)
    expect((await page(ref)).payload).not.toContain('Pay with test money')
    const again = await page(ref, { testMoney: '1' })
    expect([again.statusCode, again.payload.includes('This payment is not open any more.')]).toEqual([200, true])
  }, 90_000)

  it('knows only payments, and names a chain that does not run', async () => {
    expect((await payTest('0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d')).refusal?.code).toBe('PAYMENT_REFERENCE_UNKNOWN')
    const ref = await newPayment('9')
    await pin(ref)
    const off = { params: { x: 'POLYGON' }, body: { status: 'inactive' } } as const
    await app.call(blockchainChangesRoutes.changeBlockchain, off, { key: sandbox.key })
    await vi.waitUntil(async () => !(await running()).includes('POLYGON'), { timeout: 60_000, interval: 200 })
    expect((await payTest(ref)).refusal?.code).toBe('BLOCKCHAIN_NOT_FOUND')
  }, 90_000)

  it('happens once in a quarter of a minute for a payment, and six times a minute for an address', async () => {
    const limit = createRateLimiter()
    let now = 0
    const ctx = { now: () => new Date(now) } as Context
    const press = (subject: string, reference: string) => limit(ctx, 'test-payment', subject, reference)
    await press('ip:1', 'one')
    await expect(press('ip:2', 'one')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 15 })
    for (const reference of ['two', 'three', 'four', 'five', 'six']) await press('ip:1', reference)
    await expect(press('ip:1', 'seven')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    now = 15_000
    await press('ip:2', 'one')
  })
})

describe('off the sandbox', () => {
  it('neither the route nor the button exists: ROUTE_NOT_FOUND', async () => {
    const mainnet = await testApp({ config: { network: 'mainnet' } })
    try {
      const ref = '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d'
      const called = await mainnet.call(sandboxRoutes.payWithTestMoney, { params: { ref } })
      expect([called.status, called.refusal?.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
    } finally {
      await mainnet.stop()
    }
  })
})
