import type { Leg } from '@kassa/chains/adapter.ts'
import type { Diagnosis } from '@kassa/contract/payments/diagnosis.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars, openCashier } from '../../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { noteUnlisted } from '../../unlisted-transfers/service.ts'
import { upsertSightings } from '../sightings/store.ts'

const DAY = 24 * 3_600_000
const SENDER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const TOKEN = '0x4444444444444444444444444444444444444444'

let app: TestApp
let operator: string
let shop: Shop
let cashier: Cashier
let eth: FakeChain

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
  operator = await app.signUp()
  shop = await openShop(app, operator)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
})
beforeEach(() => cashier.pass(60_000))
afterAll(() => app.stop())

const ask = (ref: string, body: object) => app.call(paymentRepairRoutes.diagnosePayment, { params: { ref }, body })
const find = async (ref: string, body: object): Promise<Diagnosis> => (await ask(ref, body)).body
const usdc = (to: string, amount: number, more: object = {}) => ({
  to,
  assetId: ASSET.USDC_ON_ETH,
  units: dollars(amount),
  ...more,
})

/** The id of an address and of its customer. */
async function addressOf(address: string): Promise<{ id: bigint; customerId: number }> {
  const { rows } = await sql<{ id: bigint; customerId: number }>`
    SELECT id, customer_id AS "customerId" FROM addresses WHERE address = ${address}`.execute(app.ctx.db)
  const [row] = rows
  if (!row) throw new Error(`${address} is nobody’s`)
  return row
}

describe('payments.diagnose without a hash (Y9)', () => {
  it('finds what arrived for the payment by its amount, its sender or its receiver', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([usdc(to, 98, { from: SENDER })])
    const found = { verdict: 'confirming', confirmations: 1, amount: '98', currencyCode: 'USDC', paidTo: to }
    for (const clue of [{ amount: '100' }, { amount: '98,00' }, { address: SENDER }, { address: to.toLowerCase() }]) {
      expect([clue, await find(ref, clue)]).toEqual([clue, expect.objectContaining(found)])
    }
    expect((await find(ref, { amount: '100' })).explorerTransaction).toMatch(/0x[0-9a-f]{64}/)
    await eth.mine()
    const credited = { verdict: 'credited', text: '98 USDC already paid this.' }
    expect(await find(ref, { amount: '98', paidOn: '2026-01-31' })).toMatchObject(credited)
  })

  it('says what may be the matter where nothing fits', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([usdc(to, 40)])
    for (const clue of [
      { amount: '100' },
      { amount: '40', paidOn: '2026-01-20' },
      { amount: '40', address: SENDER },
      { address: SENDER },
    ]) {
      const text = expect.stringMatching(/^No matching payment has arrived for this request\./)
      const nothing = { verdict: 'not_found', text, amount: null, explorerTransaction: null, paidTo: null }
      expect([clue, await find(ref, clue)]).toEqual([clue, expect.objectContaining(nothing)])
    }
  })

  it('finds unmatched money on its own addresses, and says why it does not count', async () => {
    const { ref, to } = await cashier.newPayment()
    await eth.mine([{ to, assetId: ASSET.USDT_ON_ETH, units: dollars(100) }])
    for (let block = 0; block < 3; block += 1) await eth.mine()
    expect(await find(ref, { amount: '100' })).toMatchObject({
      verdict: 'wrong_token',
      currencyCode: 'USDT',
      amount: '100',
    })
  })

  it('finds money that no payment has, if it came since the payment was made', async () => {
    const first = await cashier.newPayment({ customer: 'regular' })
    await eth.mine([usdc(first.to, 40)])
    for (let block = 0; block < 3; block += 1) await eth.mine()
    const next = await cashier.newPayment({ customer: 'regular', amount: '41' })
    expect(await find(next.ref, { amount: '40' })).toMatchObject({ verdict: 'not_found', amount: null })
    const { rows } = await sql<{ id: bigint }>`
      SELECT deposit.id FROM deposits AS deposit JOIN payments AS payment ON payment.id = deposit.payment_id
      WHERE payment.reference_id = ${first.ref}`.execute(app.ctx.db)
    const body = { action: 'unassign', depositID: Number(rows[0]?.id), note: 'Meant for the next one' } as const
    const params = { p: shop.p, ref: first.ref }
    const { refusal } = await app.call(paymentRepairRoutes.resolvePayment, { params, body }, { key: operator })
    expect(refusal).toBeUndefined()
    expect(await find(next.ref, { amount: '40' })).toMatchObject({
      verdict: 'held',
      amount: '40',
      currencyCode: 'USDC',
    })
    cashier.pass(2 * DAY)
    const later = await cashier.newPayment({ customer: 'regular', amount: '42' })
    expect(await find(later.ref, { amount: '40' })).toMatchObject({ verdict: 'not_found', amount: null })
  })

  it('reveals nothing of another payment, of the same customer either', async () => {
    const stranger = await cashier.newPayment({ customer: 'stranger' })
    await eth.mine([usdc(stranger.to, 61, { from: SENDER })])
    const earlier = await cashier.newPayment({ customer: 'own' })
    await eth.mine([usdc(earlier.to, 100, { from: SENDER })])
    for (let block = 0; block < 3; block += 1) await eth.mine()
    const { ref } = await cashier.newPayment({ customer: 'own', amount: '61' })
    for (const clue of [{ amount: '61' }, { amount: '100' }, { address: SENDER }, { address: stranger.to }]) {
      const nothing = {
        verdict: 'not_found',
        amount: null,
        currencyCode: null,
        paidTo: null,
        explorerTransaction: null,
      }
      expect([clue, await find(ref, clue)]).toEqual([clue, expect.objectContaining(nothing)])
    }
  })

  it('finds a transfer that is still on its way', async () => {
    const { ref, to } = await cashier.newPayment()
    const { id: addressId } = await addressOf(to)
    const { rows } = await sql<{ id: bigint }>`SELECT id FROM payments WHERE reference_id = ${ref}`.execute(app.ctx.db)
    const leg = 'out' as Leg
    const sighting = { txId: `0x${'1'.repeat(64)}`, leg, addressId, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }
    await upsertSightings(asSystem(app.ctx), 1, [{ ...sighting, paymentId: rows[0]?.id ?? null }])
    expect(await find(ref, { amount: '100' })).toMatchObject({ verdict: 'pending', blockchainCode: 'ETH' })
  })

  it('finds a token that is not listed', async () => {
    const { ref, to } = await cashier.newPayment()
    const { id: addressId, customerId } = await addressOf(to)
    const leg = 'log' as Leg
    const block = { height: 150, hash: '0xaa', parentHash: '0xbb', minedAt: app.clock.now }
    const transfer = { txId: `0x${'2'.repeat(64)}`, leg, contract: TOKEN, from: SENDER, to, units: 5n, block }
    const address = { id: addressId, customerId, projectId: shop.projectId }
    await noteUnlisted(asSystem(app.ctx), 1, [{ transfer, address }])
    expect(await find(ref, { address: to })).toMatchObject({
      verdict: 'wrong_token',
      blockchainCode: 'ETH',
      text: expect.stringContaining(TOKEN),
    })
  })

  it('refuses a question that names nothing, no address, no number or no day: VALIDATION_FAILED', async () => {
    const { ref } = await cashier.newPayment()
    const refusal = async (body: object) => (await ask(ref, body)).refusal
    for (const body of [{}, { txHash: '', address: '', amount: '' }, { paidOn: '2026-01-31' }]) {
      const message = 'Transaction hash is required'
      expect(await refusal(body)).toMatchObject({ code: 'VALIDATION_FAILED', fields: { txHash: message } })
    }
    expect((await refusal({ address: 'my wallet' }))?.fields).toEqual({ address: 'This is not a valid address' })
    expect((await refusal({ amount: 'a lot' }))?.fields).toHaveProperty('amount')
    expect((await refusal({ amount: '5', paidOn: 'yesterday' }))?.fields).toHaveProperty('paidOn')
  })
})
