import type { AnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { TestApp } from '../../../testing/app.ts'
import { openSweepShop, type OpenSweepShop, type SweepShop } from '../../../testing/money-out/sweeps.ts'
import { callVault } from '../../../testing/vaults.ts'

const DOLLARS = 1_000_000n

let opened: OpenSweepShop
let app: TestApp
let anvil: AnvilChain
let shop: SweepShop

beforeAll(async () => {
  opened = await openSweepShop()
  ;({ app, anvil, shop } = opened)
}, 120_000)
afterAll(() => opened.stop())

async function expectSound(): Promise<void> {
  expect(await shop.unsound()).toEqual([])
}

/** Drops the newest blocks with what is in them; a test mines the new ones. */
const reorganise = async (depth: number) => {
  await anvil.call('anvil_reorg', depth, [])
  await shop.reader.catchUp()
}

describe('sweeps that were started outside of Kassa', () => {
  it('are recorded from what they moved, and lead to the same end', async () => {
    const payees = await shop.paid(80n * DOLLARS, 90n * DOLLARS)
    const items = payees.map(({ salt }) => ({ id: BigInt(salt), units: 50n * DOLLARS }))
    await callVault(anvil, anvil.payer, shop.vault, { kind: 'sweepToken', token: SANDBOX_TOKENS.usdc, items })
    await shop.settle()
    const { rows } = await sql<{ id: bigint }>`SELECT id FROM sweeps ORDER BY id DESC LIMIT 1`.execute(app.ctx.db)
    expect(await shop.read(Number(rows[0]?.id))).toMatchObject({
      status: 'completed',
      trigger: 'foreign',
      sentBy: 'stranger',
      startedBy: null,
      amount: '100',
      sweptCount: 2,
    })
    await expectSound()
    // The rest of it is swept as ever.
    await shop.begin()
    await shop.run()
    await expectSound()
  })
})

describe('sweeps under reorganisations', () => {
  it.each([1, 2, 3, 5])('are on their way again when %i blocks are dropped, and arrive once', async (depth) => {
    await shop.paid(500n * DOLLARS)
    await anvil.mine(6)
    await shop.reader.catchUp()
    const before = await shop.usdcOf(shop.collector)
    const id = await shop.begin()
    await shop.sign()
    await shop.follow()
    // Its block, and as many on top of it as are dropped with it.
    await anvil.mine(depth - 1 || 1)
    await shop.reader.catchUp()
    await shop.follow()
    await reorganise(depth)
    await expectSound()
    await shop.finish()
    expect(await shop.read(id)).toMatchObject({ status: 'completed', sweptAmount: '500' })
    expect((await shop.usdcOf(shop.collector)) - before).toBe(500n * DOLLARS)
    await expectSound()
  })

  it('are taken back when they had arrived, with their deposits when these go too', async () => {
    await anvil.mine(3)
    await shop.reader.catchUp()
    const [payee] = await shop.paid(500n * DOLLARS)
    const id = await shop.begin()
    await shop.run()
    expect((await shop.read(id)).status).toBe('completed')
    const depth = (await anvil.height()) - (await heightOf(payee?.id ?? 0n)) + 1
    await reorganise(depth)
    expect((await shop.read(id)).status).toBe('broadcast')
    expect((await shop.read(id)).addresses).toMatchObject([{ state: 'released', waits: { code: 'DEPOSIT_GONE' } }])
    expect(await shop.transit()).toBe(0n)
    await expectSound()
    // The bytes are sent again and move nothing, because there is nothing.
    await shop.finish()
    expect((await shop.read(id)).status).toBe('completed')
    await expectSound()
  })

  it('releases an address whose deposit is dropped before the sweep is mined', async () => {
    await anvil.mine(3)
    await shop.reader.catchUp()
    const [payee] = await shop.paid(500n * DOLLARS)
    const id = await shop.begin()
    await shop.sign()
    expect(await shop.transit()).toBe(500n * DOLLARS)
    await reorganise((await anvil.height()) - (await heightOf(payee?.id ?? 0n)) + 1)
    expect(await shop.transit()).toBe(0n)
    await expectSound()
    await shop.finish()
    expect((await shop.read(id)).sweptCount).toBe(0)
    await expectSound()
  })
})

async function heightOf(addressId: bigint): Promise<number> {
  const { rows } = await sql<{ height: bigint }>`
    SELECT min(height) AS height FROM deposits WHERE address_id = ${addressId}`.execute(app.ctx.db)
  return Number(rows[0]?.height ?? 0)
}
