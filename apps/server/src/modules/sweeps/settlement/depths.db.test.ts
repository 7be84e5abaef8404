import type { AnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { TestApp } from '../../../testing/app.ts'
import { openSweepShop, type OpenSweepShop, type SweepShop } from '../../../testing/money-out/sweeps.ts'

const DOLLARS = 1_000_000n

/** The deepest reorganisation that reading follows. */
const DEEPEST = 64

/** Within the newest block, below what is final, and as deep as reading follows; `KASSA_SWEEP_DEPTHS=64` plays every one from 1 on. */
const EVERY = Number(process.env['KASSA_SWEEP_DEPTHS'] ?? 0)
const DEPTHS = EVERY > 0 ? Array.from({ length: EVERY }, (_, at) => at + 1) : [1, 3, DEEPEST]

/** After about a dozen reorganisations at a height of a thousand, anvil has lost its contracts: each chain plays a few. */
const DEPTHS_PER_CHAIN = 3
const GROUPS = Array.from({ length: Math.ceil(DEPTHS.length / DEPTHS_PER_CHAIN) }, (_, at) =>
  DEPTHS.slice(at * DEPTHS_PER_CHAIN, (at + 1) * DEPTHS_PER_CHAIN),
)

let opened: OpenSweepShop
let app: TestApp
let anvil: AnvilChain
let shop: SweepShop

async function expectSound(): Promise<void> {
  expect(await shop.unsound()).toEqual([])
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
  expect(planned.skipped).toEqual([])
  expect((await shop.start(planned.planID)).refusal).toBeUndefined()
  await shop.sign()
}

describe.each(GROUPS.map((depths) => ({ depths })))('sweeps whose blocks are left ($depths deep)', ({ depths }) => {
  beforeAll(async () => {
    opened = await openSweepShop()
    ;({ app, anvil, shop } = opened)
  }, 120_000)
  afterAll(() => opened.stop())

  describe.each(Object.keys(STATES) as (keyof typeof STATES)[])('a sweep that is %s', (state) => {
    it.each(depths)('leaves the books as the chain is when %i blocks are left', { timeout: 180_000 }, async (depth) => {
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
})
