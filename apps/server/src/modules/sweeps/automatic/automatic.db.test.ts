import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { TestApp } from '../../../testing/app.ts'
import { openSweepShop, type OpenSweepShop, type SweepShop } from '../../../testing/sweeps.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import { saveSetting } from '../../settings/service.ts'
import { triggersOf } from '../planner/service.ts'
import { sweepDue } from './service.ts'

const DOLLARS = 1_000_000n

let opened: OpenSweepShop
let app: TestApp
let shop: SweepShop

beforeAll(async () => {
  opened = await openSweepShop()
  ;({ app, shop } = opened)
}, 120_000)
afterAll(() => opened.stop())

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

  it('lets what came while a sweep of its address was under way wait no longer than anything else', async () => {
    const [payee] = await shop.paid(600n * DOLLARS)
    if (!payee) throw new Error('Nobody paid')
    expect(await sweepDue(shop.ctx)).toBe(1)
    await shop.pay(payee, 150n * DOLLARS)
    await shop.settle()
    await shop.run()
    expect(await shop.usdcOf(payee.address)).toBe(150n * DOLLARS)
    expect(await sweepDue(shop.ctx)).toBe(0)
    await age()
    await sql`UPDATE address_sweeps SET swept_at = swept_at - interval '31 minutes'`.execute(app.ctx.db)
    expect(await sweepDue(shop.ctx)).toBe(1)
    await shop.run()
    expect(await shop.usdcOf(payee.address)).toBe(0n)
    expect(await shop.broken()).toEqual([])
  })

  it('waits on mainnet for no more than lies unreviewed at most', async () => {
    const usdc = await getAsset(shop.ctx, shop.assets.USDC)
    const leastOn = async (network: 'mainnet' | 'sandbox') => {
      const ctx = { ...shop.ctx, config: { ...shop.ctx.config, network } }
      return (await triggersOf(ctx, usdc, 10n ** 18n)).minUsd / DOLLARS
    }
    await saveSetting(shop.ctx, { key: 'sweeps.unreviewed_cap_usd', value: '120' })
    expect([await leastOn('sandbox'), await leastOn('mainnet')]).toEqual([500n, 120n])
  })

  it('starts nothing while it is switched off', async () => {
    await shop.paid(600n * DOLLARS)
    await turn('off')
    expect(await sweepDue(shop.ctx)).toBe(0)
    await turn('on')
    expect(await sweepDue(shop.ctx)).toBe(1)
  })
})

it('notes once that a token refuses to move money, of however many addresses', async () => {
  for (const payee of await shop.paid(300n * DOLLARS, 400n * DOLLARS)) await shop.takeAway(payee, 200n * DOLLARS)
  for (let pass = 0; pass < 3; pass += 1) await sweepDue(shop.ctx)
  const { rows } = await sql<{ address: string; noted: number }>`
      SELECT address, count(*)::int AS noted FROM sweep_errors WHERE code = 'TOKEN_REFUSED' GROUP BY address`.execute(
    app.ctx.db,
  )
  expect(rows.map(({ noted }) => noted)).toEqual([1, 1])
})
