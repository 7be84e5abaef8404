import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { INVARIANTS } from '../../../app.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { sweepShop, type SweepShop } from '../../../testing/sweeps.ts'
import { checkLedger } from '../../reconciliation/service.ts'

const DOLLARS = 1_000_000n

/** Within the newest block, below what is final, and as deep as reading follows. */
const DEPTHS = [1, 3, 64]

/** The deepest reorganisation that reading follows. */
const DEEPEST = 64

let app: TestApp
let anvil: AnvilChain
let shop: SweepShop

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp(), openAnvilChain()])
  shop = await sweepShop(app, anvil, await app.signUp())
}, 120_000)
afterAll(async () => {
  await app.stop()
  await anvil.stop()
})

async function expectSound(): Promise<void> {
  const { broken, drift } = await checkLedger(shop.ctx, INVARIANTS)
  expect(broken).toEqual([])
  expect(drift.filter(({ ledger, chain }) => ledger !== chain)).toEqual([])
}

const openSweeps = async () => {
  const { rows } = await sql<{ id: bigint; status: string }>`
    SELECT id, status FROM sweeps WHERE status IN ('planned', 'sweep-initiated', 'broadcast') ORDER BY id`.execute(
    app.ctx.db,
  )
  return rows
}

/** How far a sweep is when its blocks are left. */
const STATES = {
  initiated: shopSigns,
  broadcast: async () => {
    await shopSigns()
    await shop.follow()
    await anvil.mine()
    await shop.reader.catchUp()
  },
  completed: async () => {
    await shopSigns()
    await shop.finish()
  },
} as const

async function shopSigns(): Promise<void> {
  const planned = (await shop.plan()).body
  expect((await shop.start(planned.planID)).refusal).toBeUndefined()
  await shop.sign()
}

describe.each(Object.keys(STATES) as (keyof typeof STATES)[])('a sweep that is %s', (state) => {
  it.each(DEPTHS)('leaves the books as the chain is when %i blocks are left', { timeout: 180_000 }, async (depth) => {
    // What came before stays: the contract, and what pays for gas.
    await anvil.mine(DEEPEST)
    await shop.reader.catchUp()
    await shop.paid(80n * DOLLARS, 90n * DOLLARS)
    await STATES[state]()
    const { rows } = await sql`SELECT status FROM sweeps ORDER BY id DESC LIMIT 1`.execute(app.ctx.db)
    expect(rows).toEqual([{ status: state === 'initiated' ? 'sweep-initiated' : state }])
    await anvil.call('anvil_reorg', depth, [])
    await shop.reader.catchUp()
    await expectSound()
    for (let round = 0; round < 6 && (await openSweeps()).length > 0; round += 1) await shop.run()
    expect(await openSweeps()).toEqual([])
    await expectSound()
    expect(await shop.transit()).toBe(0n)
  })
})
