import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { ASSET, dollars, openCashier, type Cashier } from '../../../testing/cashier.ts'

const TO_PAYERS =
  'Ethereum is not followed right now. Money on its way is found and confirmed as soon as it is again; none is lost.'

const ERROR = 'rpc.example: HTTP 503'

let app: TestApp
let shop: Shop
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  shop = await openShop(app, await app.signUp())
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
})
afterEach(() => reading({ error: null, behind: 0 }))
afterAll(() => app.stop())

/** How the reader of ETH is: why it stands still, and how many blocks it is behind. */
async function reading({ error, behind }: { error: string | null; behind: number }): Promise<void> {
  const cause = error === null ? null : JSON.stringify({ code: 'read_failed', params: { error } })
  await sql`UPDATE chain_cursors SET stop_cause = ${cause}, head_height = height + ${behind}
    WHERE blockchain_id = 1`.execute(app.ctx.db)
}

const seenByShop = async (ref: string) =>
  (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref } }, { key: shop.apiKey })).body
const asShop = async (ref: string) => (await seenByShop(ref)).waitsBecause

describe('payments: waiting for a network that is not followed', () => {
  it('says so on what is unpaid, and on what is not final; only the shop sees what failed', async () => {
    const [unpaid, confirming] = [await cashier.newPayment(), await cashier.newPayment()]
    await eth.mine([{ to: confirming.to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    await reading({ error: ERROR, behind: 0 })
    for (const { ref } of [unpaid, confirming]) {
      expect(await cashier.show(ref)).toMatchObject({ paymentState: 'OPEN', waitsBecause: TO_PAYERS })
      const { waits, waitsBecause } = await seenByShop(ref)
      expect(waitsBecause).toBe(`${TO_PAYERS} Why: ${ERROR}`)
      const cause = { code: 'read_failed', params: { error: ERROR }, text: ERROR }
      expect(waits?.params.obstacle).toEqual({ kind: 'stopped', params: { reason: ERROR, cause }, text: ERROR })
    }
  })

  it('says so when the reader is more than a minute behind', async () => {
    const { ref } = await cashier.newPayment()
    await reading({ error: null, behind: 5 })
    expect((await cashier.show(ref)).waitsBecause).toBeNull()
    await reading({ error: null, behind: 6 })
    expect(await asShop(ref)).toBe(`${TO_PAYERS} Why: Ethereum answers slowly: 6 blocks behind.`)
  })

  it('says nothing on what does not wait for the network', async () => {
    const { ref, to } = await cashier.newPayment()
    const elsewhere = await cashier.newPayment({ chain: 'BASE' })
    await fakeChain(app.ctx, 4)
    await eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
    for (let blocks = 0; blocks < 12; blocks += 1) await eth.mine()
    await reading({ error: ERROR, behind: 0 })
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'FILLED', waitsBecause: null })
    expect(await cashier.show(elsewhere.ref)).toMatchObject({ paymentState: 'OPEN', waitsBecause: null })
  })
})
