import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { sweepShop, type SweepShop } from '../../../testing/sweeps.ts'
import { sweepDue } from './service.ts'

const DOLLARS = 1_000_000n

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

const triggers = async () => {
  const { rows } = await sql<{ trigger: string; units: string; started_by: number | null }>`
    SELECT trigger, units, started_by FROM sweeps ORDER BY id`.execute(app.ctx.db)
  return rows.map(({ trigger, units, started_by }) => [trigger, BigInt(units) / DOLLARS, started_by])
}
const turn = (value: 'on' | 'off') =>
  sql`INSERT INTO configuration (key, value) VALUES ('sweeps.automatic', ${value})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`.execute(app.ctx.db)
const age = () => sql`UPDATE deposits SET final_at = final_at - interval '31 minutes'`.execute(app.ctx.db)

describe('sweeps.automatic', () => {
  it('starts by itself because of the amount, the time and the number of addresses, and not before', async () => {
    await shop.paid(200n * DOLLARS, 250n * DOLLARS)
    expect(await sweepDue(shop.ctx)).toBe(0)
    await shop.paid(50n * DOLLARS)
    expect(await sweepDue(shop.ctx)).toBe(1)
    // Its addresses are taken: a second pass starts nothing.
    expect(await sweepDue(shop.ctx)).toBe(0)
    await shop.run()
    await shop.paid(150n * DOLLARS)
    expect(await sweepDue(shop.ctx)).toBe(0)
    await age()
    expect(await sweepDue(shop.ctx)).toBe(1)
    await shop.run()
    expect(await triggers()).toEqual([
      ['amount', 500n, null],
      ['time', 150n, null],
    ])
    expect(await shop.broken()).toEqual([])
  })

  it('starts nothing while it is switched off', async () => {
    await shop.paid(600n * DOLLARS)
    await turn('off')
    expect(await sweepDue(shop.ctx)).toBe(0)
    await turn('on')
    expect(await sweepDue(shop.ctx)).toBe(1)
  })
})
