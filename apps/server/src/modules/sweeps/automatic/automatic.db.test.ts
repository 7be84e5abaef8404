import { randomBytes } from 'node:crypto'

import { evmVaults } from '@kassa/chains/evm/vaults/vaults.ts'
import { contractWalletsRoutes } from '@kassa/contract/wallets/contract-routes.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { TestApp } from '../../../testing/app.ts'
import { openSweepShop, type OpenSweepShop, type SweepShop } from '../../../testing/money-out/sweeps.ts'
import { createVault } from '../../../testing/vaults.ts'
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
  it('starts at the threshold of amount, time or number of addresses, and not before', async () => {
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

/** One more contract wallet, with a customer whose address holds so much. */
async function otherWallet(units: bigint): Promise<number> {
  const { anvil } = opened
  const [owner, collector] = [0, 1].map(() => checksumAddress(randomBytes(20)) as Hex) as [Hex, Hex]
  const created = await createVault(anvil, { owner, collector })
  const body = { transactionHash: created.txId, name: 'Other' }
  const wallet = (
    await app.call(contractWalletsRoutes.addContractWallet, { params: { id: 11 }, body }, { key: shop.key })
  ).body
  const address = evmVaults.deposit(anvil.session.chain, created.vault, 1) as Hex
  await sql`
    WITH customer AS (
      INSERT INTO customers (project_id, customer_id) VALUES (${shop.projectId}, ${randomBytes(8).toString('hex')}) RETURNING id)
    INSERT INTO addresses (wallet_id, family_id, key, address, derivation_index, path, status, customer_id, project_id)
    SELECT ${wallet.id}, 1, ${Buffer.from(address.slice(2), 'hex')}, ${address}, 1, '1', 'assigned', customer.id, ${shop.projectId}
    FROM customer
    ON CONFLICT (wallet_id, family_id, derivation_index) DO UPDATE
      SET status = 'assigned', customer_id = excluded.customer_id, project_id = excluded.project_id`.execute(app.ctx.db)
  await anvil.transfer(SANDBOX_TOKENS.usdc, address, units)
  await shop.settle()
  return wallet.id
}

const plannedOf = async (column: 'asset_id' | 'wallet_id') =>
  (
    await sql<{ id: number }>`SELECT ${sql.ref(column)} AS id FROM sweeps WHERE status = 'planned'`.execute(app.ctx.db)
  ).rows.map(({ id }) => id)

describe('sweeps.automatic: one that fails keeps none of the others', () => {
  it('sweeps the other assets, and says at the end what failed', async () => {
    await shop.run()
    for (const payee of await shop.paid(200n * DOLLARS, 200n * DOLLARS, 200n * DOLLARS)) {
      await shop.pay(payee, parseEther('0.2'), 'ETH')
    }
    await shop.settle()
    await sql`CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planted'; END $$`.execute(
      app.ctx.db,
    )
    await sql`CREATE TRIGGER planted BEFORE INSERT ON sweeps FOR EACH ROW WHEN (NEW.asset_id = 1) EXECUTE FUNCTION planted()`.execute(
      app.ctx.db,
    )
    await expect(sweepDue(shop.ctx)).rejects.toThrow('planted')
    expect(await plannedOf('asset_id')).toEqual([shop.assets.USDC])
    await sql`DROP FUNCTION planted CASCADE`.execute(app.ctx.db)
    expect(await sweepDue(shop.ctx)).toBe(1)
    await shop.run()
  })

  it('sweeps the other wallets while the contract of one was changed past the program', async () => {
    const other = await otherWallet(600n * DOLLARS)
    await shop.paid(600n * DOLLARS)
    const collector = async (address: string) => {
      await sql`UPDATE contract_addresses SET collector = ${address} WHERE wallet_id = ${shop.walletId}`.execute(
        app.ctx.db,
      )
    }
    await collector(checksumAddress(randomBytes(20)))
    expect(await sweepDue(shop.ctx)).toBe(1)
    expect(await plannedOf('wallet_id')).toEqual([other])
    const { skipped } = (await shop.plan()).body
    const said = { code: 'WOULD_FAIL', params: { reason: expect.stringContaining('changed past Kassa') } }
    expect(skipped.map(({ reason }) => reason)).toContainEqual(expect.objectContaining(said))
    await collector(shop.collector)
    expect(await sweepDue(shop.ctx)).toBe(1)
    await shop.run()
  })

  it('sweeps nothing through a contract that operators took out of use', async () => {
    await shop.paid(600n * DOLLARS)
    const use = (status: string) =>
      sql`UPDATE contract_addresses SET status = ${status} WHERE wallet_id = ${shop.walletId}`.execute(app.ctx.db)
    await use('inactive')
    expect(await sweepDue(shop.ctx)).toBe(0)
    const { skipped } = (await shop.plan()).body
    expect(skipped.map(({ reason }) => reason.code)).toContain('DEPOSIT_NOT_DEPLOYED_FUND_SWEEPER_MISSING')
    await use('active')
    expect(await sweepDue(shop.ctx)).toBe(1)
    await shop.run()
    expect(await shop.broken()).toEqual([])
  })
})
