import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem, inTransaction } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { type FakeChain, fakeChain, type FakeTransfer } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import {
  ASSET,
  balanceOf,
  depositsTo,
  dollars,
  openCashier,
  type Pinned,
  type Cashier,
} from '../../../testing/cashier.ts'
import { depositsOfPayment, releaseDeposit } from '../../deposits/service.ts'
import { findPayment, lockPayment } from '../payment/store.ts'
import { recomputePayment } from '../funding/recompute-payment.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const HOUR = 60 * 60_000

let app: TestApp
let shop: Shop
let cashier: Cashier
let eth: FakeChain
let base: FakeChain

beforeAll(async () => {
  app = await testApp({ now: START })
  shop = await openShop(app, await app.signUp())
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
  base = await fakeChain(app.ctx, 4)
  await sql`UPDATE projects SET payment_policy = '{"openPaymentsPerCustomer": "many"}'`.execute(app.ctx.db)
})
beforeEach(() => cashier.pass(HOUR))
afterAll(() => app.stop())

const paid = ({ to }: Pinned, units = dollars(100), assetId: number = ASSET.USDC_ON_ETH): FakeTransfer => ({
  to,
  assetId,
  units,
})

describe('payments.creditBlocks of two blockchains at once', () => {
  it('never deadlocks, for any shared customers', async () => {
    const payers: Pinned[] = []
    for (let payer = 0; payer < 12; payer += 1) payers.push(await cashier.newPayment())
    const halves = [payers.slice(0, 6), payers.slice(6)]
    for (let pass = 0; pass < 12; pass += 1) {
      const [here = [], there = []] = pass % 2 === 0 ? halves : halves.toReversed()
      // Each finalizes the deposits of the last pass for customers that the other one credits now.
      await Promise.all([
        eth.mine(here.map((payer) => paid(payer))),
        base.mine(there.map((payer) => paid(payer, dollars(100), ASSET.USDC_ON_BASE))),
      ])
    }
    const first = payers[0] ?? expect.fail('no payer')
    expect(await depositsTo(app, first.to)).toHaveLength(12)
  })
})

/** Amounts that fall short, fill, overfill and are too small, by asset. */
const AMOUNTS: Readonly<Record<number, readonly bigint[]>> = {
  [ASSET.USDC_ON_ETH]: [0.5, 0.9, 40, 60, 99.1, 100, 150].map(dollars),
  [ASSET.USDT_ON_ETH]: [40, 100].map(dollars),
  [ASSET.ETH]: [10n ** 15n, 10n ** 17n],
}

type Sent = { readonly payer: number; readonly assetId: number; readonly amount: number; readonly tx: number }

const sent = fc.record({
  payer: fc.nat(2),
  assetId: fc.constantFrom(...Object.keys(AMOUNTS).map(Number)),
  amount: fc.nat(6),
  // Few, so that some occur twice, in one block and in two.
  tx: fc.nat(9),
})
const history = fc.array(fc.array(sent, { maxLength: 4 }), { minLength: 1, maxLength: 4 })

describe('payments.creditBlocks of one transaction on two blockchains', () => {
  it('credits each on its own blockchain', async () => {
    const payer = await cashier.newPayment()
    // Signed for no network in particular, it has one hash on all (EIP-155): anybody can send it on the second.
    const tx = `replayed ${payer.ref}`
    await base.mine([{ ...paid(payer, dollars(40), ASSET.USDC_ON_BASE), tx }])
    await eth.mineAll([[{ ...paid(payer, dollars(50)), tx }], []])
    expect(await cashier.show(payer.ref)).toMatchObject({ paymentState: 'PARTIALLY_FILLED', filledAmount: '50' })
    await base.mine()
    expect(await cashier.show(payer.ref)).toMatchObject({ paymentState: 'PARTIALLY_FILLED', filledAmount: '90' })
  })
})

describe('payments.creditBlocks of quarantined deposits', () => {
  it('holds it when it is final, keeps its payment open and says nothing, until a person decides', async () => {
    const payer = await cashier.newPayment()
    await eth.mine([{ ...paid(payer), quarantineReason: 'NODE_DISAGREEMENT' }])
    await eth.mine()
    expect(await depositsTo(app, payer.to)).toMatchObject([{ status: 'quarantined', reason: 'NODE_DISAGREEMENT' }])
    cashier.pass(3 * HOUR)
    await cashier.expire()
    expect(await cashier.show(payer.ref)).toMatchObject({
      paymentState: 'OPEN',
      fundingState: 'confirming',
      filledAmount: '0',
    })
    expect(await cashier.emitted(payer.ref)).toEqual(['payment.detected'])
    expect(await balanceOf(app, 'project:quarantine', ASSET.USDC_ON_ETH)).toBe(dollars(100))
    const ctx = asSystem(app.ctx)
    const payment = (await findPayment(ctx, payer.ref)) ?? expect.fail('no payment')
    await inTransaction(ctx, async (tx) => {
      const [deposit] = await depositsOfPayment(tx, payment.id)
      await releaseDeposit(tx, deposit?.id ?? 0n, { paymentId: payment.id, reason: null, late: false })
      await recomputePayment(tx, (await lockPayment(tx, payment.id)) ?? payment)
    })
    expect(await cashier.show(payer.ref)).toMatchObject({ paymentState: 'FILLED', late: false })
    expect(await balanceOf(app, 'project:quarantine', ASSET.USDC_ON_ETH)).toBe(0n)
  })
})

describe('payments.creditBlocks of several blocks at once', () => {
  /** Three customers, the last with two open payments. */
  async function newPayers(): Promise<Pinned[]> {
    const payers = [
      await cashier.newPayment(),
      await cashier.newPayment({ currency: 'ETH' }),
      await cashier.newPayment(),
    ]
    const last = payers[2]?.customerID ?? ''
    return [...payers, await cashier.newPayment({ customer: last, amount: '60' })]
  }

  const blocksOf = (payers: readonly Pinned[], blocks: readonly (readonly Sent[])[]) =>
    blocks.map((transfers) =>
      transfers.map(({ payer, assetId, amount, tx }): FakeTransfer => {
        const amounts = AMOUNTS[assetId] ?? []
        const { to = '', ref = '' } = payers[payer] ?? {}
        return { to, assetId, units: amounts[amount % amounts.length] ?? 1n, tx: `${ref} ${tx}` }
      }),
    )

  /** Payments and their events without what differs between any two: names, positions, hashes. */
  async function outcome(payers: readonly Pinned[]): Promise<unknown> {
    const refs = payers.map(({ ref }) => ref)
    const { rows } = await sql`
      SELECT payment.status, payment.funding_state, payment.seen_units, payment.filled_units, payment.over_units,
        payment.late, payment.event_count, payment.expires_at, payment.rate_locked_until, payment.cancel_reason,
        (SELECT json_agg(json_build_array(d.asset_id, d.units, d.status, d.reason, d.late, d.counted_units) ORDER BY d.id)
          FROM deposits AS d WHERE d.payment_id = payment.id) AS deposits,
        (SELECT json_agg(json_build_array(e.type, e.sequence, e.payload->'status', e.payload->'filled_amount',
          e.payload->'amount_due', e.payload->'funding_state', jsonb_array_length(e.payload->'payment_info')) ORDER BY e.id)
          FROM events AS e WHERE e.reference_id = payment.reference_id) AS events
      FROM payments AS payment WHERE reference_id = ANY(${refs}::uuid[]) ORDER BY payment.id`.execute(app.ctx.db)
    return rows
  }

  it('gives the same result as one block at a time, for any history', { timeout: 60_000 }, async () => {
    await sql`UPDATE blockchains SET min_confirmations = 20 WHERE id = 1`.execute(app.ctx.db)
    await fc.assert(
      fc.asyncProperty(history, async (blocks) => {
        cashier.pass(HOUR)
        const one = await newPayers()
        const all = await newPayers()
        for (const transfers of blocksOf(one, blocks)) await eth.mine(transfers)
        await eth.mineAll(blocksOf(all, blocks))
        expect(await outcome(all)).toEqual(await outcome(one))
        await eth.mineAll(Array.from({ length: 20 }, () => []))
        expect(await outcome(all)).toEqual(await outcome(one))
      }),
      { numRuns: 8 },
    )
    await sql`UPDATE blockchains SET min_confirmations = 2 WHERE id = 1`.execute(app.ctx.db)
  })
})
