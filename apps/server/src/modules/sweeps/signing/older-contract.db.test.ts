import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../../testing/app.ts'
import { type ApprovalShop, approvalShop } from '../../../testing/money-out/approvals.ts'
import { signPlanned } from './service.ts'

/** More than a sweep costs, and less than what a second node must confirm. */
const MUCH = 400_000_000n

let app: TestApp
let anvil: AnvilChain
let shop: ApprovalShop

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp({ now: new Date() }), openAnvilChain()])
  shop = await approvalShop(app, anvil, await app.signUp())
  await shop.addGas()
}, 120_000)
afterAll(async () => {
  await anvil.stop()
  await app.stop()
})

it('brings along what an address signed for the contract of its sweep, and nothing that it allowed another one', async () => {
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
