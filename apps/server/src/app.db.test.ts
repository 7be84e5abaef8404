import { setTimeout as sleep } from 'node:timers/promises'

import { systemRoutes } from '@kassa/contract/system/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'

import { testApp, type TestApp } from './testing/app.ts'
import { openShop, type Shop } from './testing/shop.ts'
import { type Receiver, startReceiver } from './testing/receiver.ts'
import { run } from './testing/database/run-statement.ts'

let app: TestApp
let key: string
let shop: Shop
let receiver: Receiver

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
  receiver = await startReceiver()
  await app.call(
    projectsRoutes.changeProject,
    { params: { p: shop.p }, body: { webhookEndpoint: receiver.url } },
    { key },
  )
  await app.start('worker')
  await app.start('watcher')
})

afterAll(async () => {
  await app.stop()
  await receiver.close()
})

/** The database ends every connection and accepts none until the work is done. */
async function whileDatabaseIsAway(work: () => Promise<void>): Promise<void> {
  const { url } = inject('postgres')
  const name = new URL(app.connectionString).pathname.slice(1)
  await run(url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await run(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  await work()
  await run(url, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
}

const body = { customerID: 'c1', customerEmail: 'payer@example.com', amountInUSD: '10' }

describe('app', () => {
  it('says that the database is away, and recovers when it is back', async () => {
    const uncaught: unknown[] = []
    const catchAll = (thrown: unknown) => void uncaught.push(thrown)
    process.on('uncaughtException', catchAll)
    process.on('unhandledRejection', catchAll)
    await whileDatabaseIsAway(async () => {
      await sleep(1_500)
      const created = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
      expect(created.status).toBeGreaterThanOrEqual(500)
      expect((await app.call(systemRoutes.health)).body).toMatchObject({
        status: 'error',
        db: 'error',
        reason: expect.stringContaining('does not answer'),
      })
      await sleep(1_500)
    })
    const created = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
    expect(created.status).toBe(200)
    const params = { p: shop.p, ref: created.body.reference_id }
    await app.call(paymentsRoutes.cancelPayment, { params, body: {} }, { key })
    await vi.waitFor(
      () => expect(receiver.requests.map(({ body: text }) => text).join()).toContain('payment.cancelled'),
      {
        timeout: 10_000,
      },
    )
    process.off('uncaughtException', catchAll)
    process.off('unhandledRejection', catchAll)
    expect(uncaught).toEqual([])
  })
})
