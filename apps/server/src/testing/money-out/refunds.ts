import { type TestApp, testApp } from '../app.ts'
import { type Cashier, openCashier } from '../cashier.ts'
import { type FakeChain, fakeChain } from '../fake-chain.ts'
import { payoutShop } from './payouts.ts'

export type RefundShop = {
  readonly app: TestApp
  readonly root: string
  readonly shop: Awaited<ReturnType<typeof payoutShop>>
  readonly cashier: Cashier
  readonly eth: FakeChain
}

/** A shop that is paid on a chain that a test mines, and pays back. */
export async function openRefundShop(): Promise<RefundShop> {
  const app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  const root = await app.signUp()
  const shop = await payoutShop(app, root)
  return { app, root, shop, cashier: openCashier(app, shop), eth: await fakeChain(app.ctx, 1) }
}
