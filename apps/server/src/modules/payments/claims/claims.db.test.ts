import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { TestApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars } from '../../../testing/cashier.ts'
import type { FakeChain } from '../../../testing/fake-chain.ts'
import { PAYEE } from '../../../testing/money-out/payouts.ts'
import { openRefundShop, type RefundShop } from '../../../testing/money-out/refunds.ts'

const USDC = ASSET.USDC_ON_ETH
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let app: TestApp
let root: string
let shop: RefundShop['shop']
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  ;({ app, root, shop, cashier, eth } = await openRefundShop())
})
afterAll(() => app.stop())
beforeEach(() => sql`DELETE FROM rate_buckets`.execute(app.ctx.db))

/** A payment of 100 dollars, and what came for it. */
async function paid(...amounts: number[]) {
  const payment = await cashier.newPayment()
  for (const amount of amounts) await eth.mine([{ to: payment.to, assetId: USDC, units: dollars(amount) }])
  await eth.mine()
  return payment
}
const claim = (ref: string, address: string = PAYEE, blockchainCode = 'ETH') =>
  app.call(paymentRepairRoutes.claimRefund, { params: { ref }, body: { blockchainCode, address } })
const state = async (ref: string) => (await app.call(paymentRepairRoutes.getRefundClaim, { params: { ref } })).body
const decline = (ref: string, claimID: number, note = 'Ask us first.') =>
  app.call(
    paymentRepairRoutes.declineRefundClaim,
    { params: { p: shop.p, ref }, body: { claimID, note } },
    { key: root },
  )
const detail = async (ref: string) =>
  (await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: root })).body
const refund = (ref: string, refundClaimID: number, toAddress: string = PAYEE) =>
  shop.ask({ amount: '30', refundOfReferenceID: ref, refundKind: 'overpaid', refundClaimID, toAddress })
const resolve = (ref: string) =>
  app.call(
    paymentRepairRoutes.resolvePayment,
    { params: { p: shop.p, ref }, body: { action: 'mark_resolved', note: 'Agreed.' } },
    { key: root },
  )
const listed = async () =>
  (
    await app.call(
      paymentsRoutes.searchProjectPayments,
      { params: { p: shop.p }, body: { paymentStatus: ['NEEDS_ATTENTION'], limit: 100 } },
      { key: root },
    )
  ).body.data.map(({ referenceId }) => referenceId)
const idOf = async (ref: string) => (await state(ref)).claim?.id ?? 0

describe('payments.claims', () => {
  it('name where a surplus should go; the operator sees it, and nothing is paid', async () => {
    const { ref } = await paid(130)
    expect(await state(ref)).toEqual({ networks: ['ETH'], claim: null })
    const { status, body } = await claim(ref)
    expect(status).toBe(200)
    expect(body.claim).toMatchObject({ blockchainCode: 'ETH', address: PAYEE, status: 'open' })
    expect(await detail(ref)).toMatchObject({ refundClaim: body.claim, refunds: [] })
    const { timeline } = await detail(ref)
    expect(timeline.filter(({ event }) => event === 'payment.refund_claimed')).toHaveLength(1)
  })

  it('refuse addresses that money never goes to, other networks and unknown references', async () => {
    const { ref, to } = await paid(130)
    expect((await claim(ref, '0x12')).refusal?.code).toBe('ADDRESS_INVALID')
    expect((await claim(ref, to)).refusal?.code).toBe('ADDRESS_IS_OURS')
    expect((await claim(ref, `0x${'0'.repeat(40)}`)).refusal?.code).toBe('ADDRESS_BLOCKED')
    expect((await claim(ref, PAYEE, 'BASE')).refusal?.code).toBe('REFUND_NOT_CLAIMABLE')
    const unknown = '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d'
    expect((await claim(unknown)).refusal?.code).toBe('PAYMENT_REFERENCE_UNKNOWN')
    expect(await state(ref)).toMatchObject({ claim: null })
  })

  it('are replaced by another address, of twenty at once too; the same address is the same claim', async () => {
    const { ref } = await paid(130)
    const first = (await claim(ref)).body.claim
    expect((await claim(ref)).body.claim).toEqual(first)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => claim(ref, n % 2 === 0 ? OTHER : PAYEE)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const { rows } = await sql`
      SELECT FROM refund_claims AS claim JOIN payments AS payment ON payment.id = claim.payment_id
      WHERE payment.reference_id = ${ref} AND claim.status <> 'replaced'`.execute(app.ctx.db)
    expect(rows).toHaveLength(1)
  })

  it('bind a refund to the address that the operator looked at: REFUND_CLAIM_CHANGED', async () => {
    const { ref } = await paid(130)
    await claim(ref)
    const seen = await idOf(ref)
    await claim(ref, OTHER)
    expect((await refund(ref, seen)).refusal?.code).toBe('REFUND_CLAIM_CHANGED')
    expect((await refund(ref, await idOf(ref))).refusal?.code).toBe('REFUND_CLAIM_CHANGED')
    expect((await detail(ref)).refundable).toMatchObject([{ overpaid: '30' }])
    expect((await refund(ref, await idOf(ref), OTHER)).status).toBe(201)
  })

  it('stay as they are once a refund pays them, and are open again when it ends without paying', async () => {
    const { ref } = await paid(130)
    await claim(ref)
    const { body } = await refund(ref, await idOf(ref))
    expect(body.status).toBe('pending-approval')
    expect(await state(ref)).toMatchObject({ networks: [], claim: { status: 'accepted' } })
    expect((await claim(ref, OTHER)).refusal?.code).toBe('REFUND_CLAIM_DECIDED')
    expect((await decline(ref, await idOf(ref))).refusal?.code).toBe('REFUND_CLAIM_CHANGED')
    await shop.reject(body.id)
    expect(await state(ref)).toMatchObject({ networks: ['ETH'], claim: { status: 'open' } })
    expect((await claim(ref, OTHER)).status).toBe(200)
  })

  it('of a parallel refund and replacement let one win, never a refund of what was replaced', async () => {
    const { ref } = await paid(130)
    await claim(ref)
    const seen = await idOf(ref)
    const [asked, replaced] = await Promise.all([refund(ref, seen), claim(ref, OTHER)])
    const { claim: now } = await state(ref)
    if (asked.status === 201) {
      expect(replaced.refusal?.code).toBe('REFUND_CLAIM_DECIDED')
      expect(now).toMatchObject({ id: seen, status: 'accepted', address: PAYEE })
    } else {
      expect(asked.refusal?.code).toBe('REFUND_CLAIM_CHANGED')
      expect(now).toMatchObject({ status: 'open', address: OTHER })
    }
  })

  it('are declined for good, with a note that the payer reads', async () => {
    const { ref } = await paid(130)
    await claim(ref)
    const seen = await idOf(ref)
    await claim(ref, OTHER)
    expect((await decline(ref, seen)).refusal?.code).toBe('REFUND_CLAIM_CHANGED')
    const declined = await decline(ref, await idOf(ref))
    expect(declined.body.refundClaim).toMatchObject({ status: 'declined', declinedNote: 'Ask us first.' })
    expect(await state(ref)).toMatchObject({ networks: [], claim: { declinedNote: 'Ask us first.' } })
    expect((await claim(ref)).refusal?.code).toBe('REFUND_CLAIM_DECIDED')
  })

  it('need attention until they are decided, also after the payment was marked as resolved', async () => {
    const { ref } = await paid(130)
    await resolve(ref)
    expect(await listed()).not.toContain(ref)
    app.clock.now = new Date(app.clock.now.getTime() + 1000)
    await claim(ref)
    expect(await listed()).toContain(ref)
    expect((await detail(ref)).needsAttention).toBe(true)
    await decline(ref, await idOf(ref))
    expect(await listed()).not.toContain(ref)
  })

  // Last: so much time passes that the operator’s session ends.
  it('are possible for late money, unmatched money and a part of a request that ended, and for no other', async () => {
    const exact = await paid(100)
    const open = await paid(40)
    expect((await state(exact.ref)).networks).toEqual([])
    expect((await claim(exact.ref)).refusal?.code).toBe('REFUND_NOT_CLAIMABLE')
    expect((await claim(open.ref)).refusal?.code).toBe('REFUND_NOT_CLAIMABLE')
    const other = await cashier.newPayment()
    await eth.mine([{ to: other.to, assetId: ASSET.USDT_ON_ETH, units: dollars(5) }])
    await eth.mine()
    expect((await state(other.ref)).networks).toEqual(['ETH'])
    cashier.pass(3 * 3_600_000)
    await cashier.expire()
    expect((await claim(open.ref)).status).toBe(200)
    const late = await cashier.newPayment()
    cashier.pass(3 * 3_600_000)
    await cashier.expire()
    await eth.mine([{ to: late.to, assetId: USDC, units: dollars(100) }])
    await eth.mine()
    expect((await claim(late.ref)).status).toBe(200)
  })
})
