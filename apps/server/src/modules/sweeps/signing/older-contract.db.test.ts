import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { contractAddressesRoutes } from '@kassa/contract/sweep-contracts/address-routes.ts'
import { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { type ApprovalShop, approvalShop } from '../../../testing/money-out/approvals.ts'
import { createVault } from '../../../testing/vaults.ts'
import { signPlanned } from './service.ts'

/** More than a sweep costs, and less than what a second node must confirm. */
const MUCH = 400_000_000n

let app: TestApp
let anvil: AnvilChain
let shop: ApprovalShop
let key: string
const APPROVED = { b: 'ETH', name: 'sweep_approval' }

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp({ now: new Date() }), openAnvilChain()])
  key = await app.signUp()
  shop = await approvalShop(app, anvil, key)
  await shop.addGas()
}, 120_000)
afterAll(async () => {
  await anvil.stop()
  await app.stop()
})

it('uses the permissions that an address signed for the contract of its sweep, and none for another one', async () => {
  const one = await shop.deposit('USDC', MUCH)
  const { body: batch } = await shop.ask('USDC', [one.id])
  const { batchID, signatures } = await shop.signBatch('USDC', { batchID: batch.batchID })
  expect((await shop.post('USDC', batchID, signatures)).body.accepted).toBe(1)
  // What the contract that was used in between may do; it is out of use again.
  await sql`
    INSERT INTO sweep_permissions (address_id, blockchain_id, asset_id, kind, state, vault, collector, permission, created_at, approved_at)
    SELECT address_id, blockchain_id, asset_id, 'approve_tx', 'used', ${`0x${'11'.repeat(20)}`}, collector, permission, created_at, created_at
    FROM sweep_permissions WHERE address_id = ${one.id}`.execute(app.ctx.db)
  expect((await shop.initiate('USDC', [one.id])).refusal).toBeUndefined()
  expect(await signPlanned(shop.ctx)).toBe(1)
  await shop.work()
  expect(await shop.heldOf(shop.collector, 'USDC')).toBe(MUCH)
  expect(await shop.broken()).toEqual([])
})

it('asks an address again that allowed an older contract the same, and sweeps it through the one in use', async () => {
  const one = await shop.deposit('USDC', MUCH)
  await sql`
    INSERT INTO sweep_permissions (address_id, blockchain_id, asset_id, kind, state, vault, collector, permission, created_at, approved_at)
    SELECT ${one.id}, blockchain_id, asset_id, kind, 'used', ${`0x${'11'.repeat(20)}`}, collector, permission, created_at, created_at
    FROM sweep_permissions WHERE signature IS NOT NULL ORDER BY id LIMIT 1`.execute(app.ctx.db)
  const before = await shop.heldOf(shop.collector, 'USDC')
  const { body: batch, refusal } = await shop.ask('USDC', [one.id])
  expect(refusal).toBeUndefined()
  const { batchID, signatures } = await shop.signBatch('USDC', { batchID: batch.batchID })
  expect((await shop.post('USDC', batchID, signatures)).body.accepted).toBe(1)
  expect((await shop.initiate('USDC', [one.id])).refusal).toBeUndefined()
  expect(await signPlanned(shop.ctx)).toBe(1)
  await shop.work()
  expect((await shop.heldOf(shop.collector, 'USDC')) - before).toBe(MUCH)
  expect(await shop.broken()).toEqual([])
})

it('is not signed while its contract is out of use or its cold wallet inactive, though a newer contract may be used', async () => {
  const one = await shop.deposit('USDC', MUCH)
  const { body: batch } = await shop.ask('USDC', [one.id])
  const { batchID, signatures } = await shop.signBatch('USDC', { batchID: batch.batchID })
  expect((await shop.post('USDC', batchID, signatures)).body.accepted).toBe(1)
  const { body: started } = await shop.initiate('USDC', [one.id])
  const before = await shop.heldOf(shop.collector, 'USDC')
  const older = await app.call(contractAddressesRoutes.findContractAddress, { params: APPROVED }, { key })
  await useAnotherContract()
  const set = (status: 'active' | 'inactive') =>
    app.call(
      contractAddressesRoutes.changeContractAddress,
      { params: { ...APPROVED, id: older.body.id }, body: { status } },
      { key },
    )
  const cold = async (status: string) => {
    const { rows } = await sql<{
      id: number
    }>`SELECT wallet_id AS id FROM cold_addresses WHERE address = ${shop.collector}`.execute(app.ctx.db)
    return app.call(walletsRoutes.setWalletStatus, { params: { id: rows[0]?.id ?? 0, status } }, { key })
  }
  const waits = async () => {
    await sql`UPDATE sweeps SET due_at = now() - interval '1 day'`.execute(app.ctx.db)
    expect(await signPlanned(shop.ctx)).toBe(0)
    const { rows } = await sql<{
      code: string
    }>`SELECT wait_code AS code FROM sweeps WHERE id = ${started.sweepID}`.execute(app.ctx.db)
    return rows[0]?.code
  }
  expect((await set('inactive')).status).toBe(200)
  expect(await waits()).toBe('FUND_SWEEPER_NOT_DEPLOYED')
  await set('active')
  await cold('inactive')
  expect(await waits()).toBe('COLD_WALLET_MISSING')
  await cold('active')
  await sql`UPDATE sweeps SET due_at = now() - interval '1 day'`.execute(app.ctx.db)
  await deactivateWhileSigning()
  expect(await signPlanned(shop.ctx)).toBe(0)
  await sql`DROP TRIGGER objecting ON sends`.execute(app.ctx.db)
  expect(await signPlanned(shop.ctx)).toBe(1)
  await shop.work()
  expect((await shop.heldOf(shop.collector, 'USDC')) - before).toBe(MUCH)
})

/** Deactivates the cold wallet after everything that is checked before the transaction of a signature. */
async function deactivateWhileSigning(): Promise<void> {
  const trigger = `
    CREATE FUNCTION object() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE wallets SET status = 'inactive'
        WHERE id = (SELECT wallet_id FROM cold_addresses WHERE address = '${shop.collector}');
      RETURN NEW;
    END $$;
    CREATE TRIGGER objecting AFTER INSERT ON sends FOR EACH ROW EXECUTE FUNCTION object()`
  await sql.raw(trigger).execute(app.ctx.db)
}

/** Registers a newer contract with a cold wallet of its own, which deposit addresses approve from now on. */
async function useAnotherContract(): Promise<void> {
  const collector = checksumAddress(Buffer.from('c1'.repeat(20), 'hex')) as Hex
  const cold = { params: { id: 'ETH' }, body: { name: 'Ledger 2', address: collector } }
  expect((await app.call(coldWalletsRoutes.addColdWallet, cold, { key })).status).toBe(201)
  const { vault, txId } = await createVault(anvil, { owner: `0x${'22'.repeat(20)}`, collector })
  const body = { address: vault, transactionHash: txId, fundCollectorAddress: collector }
  const registered = await app.call(
    contractAddressesRoutes.registerContractAddress,
    { params: APPROVED, body },
    { key },
  )
  expect(registered.status).toBe(201)
}
