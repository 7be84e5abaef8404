import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { CONTRACT } from '@kassa/contract/contract.ts'
import type { Route, Routes } from '@kassa/contract/kit/route.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../testing/app.ts'
import { type CustomerAddress, customerAddress } from '../../testing/customer-address.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { fakeChain } from '../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { ASSET, depositsTo, dollars, openCashier, type Cashier } from '../../testing/cashier.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import { setSandboxNode } from '../blockchains/nodes/service.ts'
import { type TestReader, testReader } from '../../testing/test-follower.ts'

describe('fakes that a node cannot show', () => {
  let test: TestContext
  let anvil: AnvilChain
  let reader: TestReader
  let address: CustomerAddress

  beforeAll(async () => {
    ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
    await seedBlockchains(test.ctx)
    await setSandboxNode(test.ctx, 'ETH', anvil.url)
  }, 60_000)
  afterAll(async () => {
    await anvil.stop()
    await test.stop()
  })
  beforeEach(async () => {
    address = await customerAddress(test.ctx)
    reader = await testReader(test.ctx, 'ETH')
    await reader.catchUp()
  })
  afterEach(() => sql`UPDATE assets SET deposit_enabled = true, disabled_because = NULL`.execute(test.ctx.db))

  const pay = (units: bigint) => anvil.transfer(SANDBOX_TOKENS.usdc, address.address as Hex, units)
  const confirmAll = async () => {
    await anvil.mine(3)
    await reader.catchUp()
  }
  const deposits = async () => {
    const { rows } = await sql<{ status: string; reason: string | null; units: string }>`
      SELECT status, reason, units FROM deposits WHERE address_id = ${address.id} ORDER BY id`.execute(test.ctx.db)
    return rows.map(({ status, reason, units }) => [status, reason, units])
  }

  it('E12: quarantines money of a contract that differs from the listed asset', async () => {
    await pay(5_000_000n)
    await confirmAll()
    await sql`UPDATE assets SET deposit_enabled = false, disabled_because = 'It has 18 decimals, not 6.'
      WHERE id = ${ASSET.USDC_ON_ETH}`.execute(test.ctx.db)
    await pay(7_000_000n)
    await anvil.send({ to: address.address as Hex, value: 10n ** 16n })
    await confirmAll()
    expect(await deposits()).toEqual([
      ['unapplied', 'no_payment', '5000000'],
      ['quarantined', 'ASSET_CHANGED', '7000000'],
      ['unapplied', 'no_payment', '10000000000000000'],
    ])
  })

  it('X9: credits what arrived before or after an operator switched the currency off, once', async () => {
    await pay(5_000_000n)
    await reader.catchUp()
    expect(await deposits()).toEqual([['seen', 'no_payment', '5000000']])
    await sql`UPDATE assets SET deposit_enabled = false, visible = false WHERE id = ${ASSET.USDC_ON_ETH}`.execute(
      test.ctx.db,
    )
    await pay(6_000_000n)
    await confirmAll()
    await confirmAll()
    expect(await deposits()).toEqual([
      ['unapplied', 'no_payment', '5000000'],
      ['unapplied', 'no_payment', '6000000'],
    ])
  })
})

describe('fakes that need no chain', () => {
  let app: TestApp
  let shop: Shop
  let cashier: Cashier
  let owner: string

  beforeAll(async () => {
    app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z') })
    owner = await app.signUp()
    shop = await openShop(app, owner)
    cashier = openCashier(app, shop)
  })
  afterAll(() => app.stop())

  it('X6: no caller can mark a payment as paid', async () => {
    const claims = {
      status: 'FILLED',
      paymentState: 'FILLED',
      fundingState: 'confirmed',
      filledUnits: '100000000',
      seenUnits: '100000000',
      filledUSD: '100',
      deposits: [{ amount: '100', txHash: `0x${'12'.repeat(32)}` }],
    }
    const body = { customerID: 'claims', customerEmail: 'payer@example.com', amountInUSD: '100', ...claims }
    const created = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
    expect(await cashier.show(created.body.reference_id)).toMatchObject({ paymentState: 'OPEN', deposits: [] })
    const routes = Object.values<Routes>(CONTRACT).flatMap((group): Route[] => Object.values(group))
    const paths = routes.filter(({ methods }) => methods.some((one) => one !== 'GET')).flatMap((route) => route.paths)
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter((path) => /paid|filled|settle|confirm-payment|mark/i.test(path))).toEqual([])
  })

  it('X8: a transfer older than the payment fills nothing', async () => {
    const chain = await fakeChain(app.ctx, 1)
    const before = new Date(app.clock.now.getTime() - 60 * 60_000)
    const { ref, to } = await cashier.newPayment()
    await chain.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }], before)
    await chain.mine()
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'OPEN' })
    expect(await depositsTo(app, to)).toMatchObject([{ status: 'unapplied', payment_id: null }])
  })

  it('X11: quarantines money from an address that its project blocks, and of no other project', async () => {
    const chain = await fakeChain(app.ctx, 1)
    const from = '0x00000000000000000000000000000000DeaDBeef'
    const other = openCashier(app, await openShop(app, owner, 'Other shop'))
    const [here, there] = [await cashier.newPayment(), await other.newPayment()]
    await sql`WITH blocked AS (INSERT INTO recipients (name, email, blockchain_id, address, address_key, status, created_by, created_at,
        updated_at) VALUES ('Nobody', 'nobody@example.com', 1, ${from}, ${Buffer.from(from.slice(2), 'hex')}, 'blocked', 'test',
        now(), now()) RETURNING *)
      INSERT INTO recipient_projects SELECT id, ${shop.projectId}, 1, address_key, NULL FROM blocked`.execute(
      app.ctx.db,
    )
    const paid = [here, there].map(({ to, ref }) => ({
      to,
      from,
      tx: ref,
      assetId: ASSET.USDC_ON_ETH,
      units: dollars(100),
    }))
    await chain.mine(paid)
    for (let depth = 0; depth < 3; depth += 1) await chain.mine()
    expect(await depositsTo(app, here.to)).toMatchObject([{ status: 'quarantined', reason: 'SENDER_BLOCKED' }])
    expect(await depositsTo(app, there.to)).toMatchObject([{ status: 'applied', reason: null }])
    expect(await cashier.show(here.ref)).toMatchObject({ paymentState: 'OPEN' })
    expect(await other.show(there.ref)).toMatchObject({ paymentState: 'FILLED' })
  })
})
