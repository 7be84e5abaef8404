import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { TestApp } from '../../testing/app.ts'
import { ASSET, type Cashier, dollars } from '../../testing/cashier.ts'
import type { FakeChain } from '../../testing/fake-chain.ts'
import { PAYEE } from '../../testing/money-out/payouts.ts'
import { openRefundShop } from '../../testing/money-out/refunds.ts'

let app: TestApp
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  ;({ app, cashier, eth } = await openRefundShop())
})
afterAll(() => app.stop())

async function paid(amount: number) {
  const payment = await cashier.newPayment()
  await eth.mine([{ to: payment.to, assetId: ASSET.USDC_ON_ETH, units: dollars(amount) }])
  await eth.mine()
  return payment.ref
}
const open = (path: string, ref: string) => app.http.inject({ url: `${path}?reference_id=${ref}` })
const claim = (ref: string, address: string) =>
  app.http.inject({
    method: 'POST',
    url: `/refund?reference_id=${ref}`,
    payload: new URLSearchParams({ blockchainCode: 'ETH', address }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('pages: the refund', () => {
  it('is linked from payment and receipt where money can return, and from no other', async () => {
    const ref = await paid(130)
    for (const path of ['/payments', '/success']) expect((await open(path, ref)).payload).toContain('href="/refund?')
    const exact = await paid(100)
    for (const path of ['/payments', '/success']) expect((await open(path, exact)).payload).not.toContain('/refund?')
    expect((await open('/refund', exact)).payload).toContain('There is nothing to return right now.')
  })

  it('takes an address without a script, shows it whole, and says what is wrong with another', async () => {
    const ref = await paid(130)
    const refused = await claim(ref, '0x12')
    expect(refused.payload).toContain('This is not a valid address on this network.')
    expect(refused.payload).toContain('value="0x12"')
    const answer = await claim(ref, ` ${PAYEE} `)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/refund?reference_id=${ref}`])
    const shown = await open('/refund', ref)
    expect(shown.payload.replaceAll(/<[^>]+>/g, '')).toContain(PAYEE)
    expect(shown.payload).not.toContain('<script')
    expect(shown.headers['content-security-policy']).toContain("form-action 'self'")
    expect((await open('/refund', '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d')).statusCode).toBe(404)
    expect((await claim('0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d', PAYEE)).statusCode).toBe(404)
  })
})
