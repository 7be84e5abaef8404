import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { type FakeChain, fakeChain } from '../../testing/fake-chain.ts'
import { type Receiver, startReceiver } from '../../testing/receiver.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { ASSET, dollars, openCashier, type Cashier } from '../../testing/cashier.ts'

let app: TestApp
let key: string
let shop: Shop
let cashier: Cashier
let eth: FakeChain
let receiver: Receiver

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
  receiver = await startReceiver()
  await app.call(webhooksRoutes.createWebhook, { params: { p: shop.p }, body: { url: receiver.url } }, { key })
  await app.start('worker')
})
afterAll(async () => {
  await receiver.close()
  await app.stop()
})

const move = (route: 'archiveProject' | 'restoreProject', options: object = { key }) =>
  app.call(projectsRoutes[route], { params: { p: shop.p } }, options)
const received = () => receiver.requests.map(({ body }) => (JSON.parse(body) as { event_type: string }).event_type)

describe('P6, an archived project', () => {
  it('takes no new payment, credits deposits, and sends its webhooks once it is active again', async () => {
    const { ref, to } = await cashier.newPayment()
    expect((await move('archiveProject')).body.status).toBe('archived')
    const body = { customerID: 'c', customerEmail: 'c@example.com', amountInUSD: '1' }
    const refused = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
    expect(refused.refusal?.code).toBe('PROJECT_ARCHIVED')

    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    await eth.mine()
    expect((await cashier.show(ref)).paymentState).toBe('FILLED')
    expect(received()).toEqual([])

    expect((await move('restoreProject')).body.status).toBe('active')
    await receiver.hears(2)
    expect(received()).toEqual(['payment.detected', 'payment.filled'])
  })

  it('is archived once, with one event', async () => {
    const first = await move('archiveProject')
    const second = await move('archiveProject')
    expect(second.body).toEqual(first.body)
    await move('restoreProject')
  })

  it('asks for the permission', async () => {
    const manager = await addOperator(app, { projectId: shop.projectId, role: 'project_manager' })
    expect((await move('archiveProject', { key: manager.key })).refusal?.code).toBe('FORBIDDEN')
  })
})
