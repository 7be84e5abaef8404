import { openLocalTron, type LocalTron } from '@kassa/chains/testing/tron-node/chain.ts'
import { serveLocalTron } from '@kassa/chains/testing/tron-node/http-node.ts'
import { addressText } from '@kassa/chains/tron/addresses/addresses.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Context } from '../../../context.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'
import { openAlarms } from '../../alarms/service.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { followPermissions } from './follow-permissions.ts'
import { warnOfUnproven } from './unproven.ts'

const [CHAIN, USDT] = [3, 13]
const MINUTE = 60_000
const TX = 'ab'.repeat(32)

let test: TestContext
let ctx: Context
let local: LocalTron
let reader: TestReader
let clock = 0
const stops: (() => Promise<void>)[] = []
const now = () => new Date(Date.now() + clock)

/** A public network of TRON, served by one operator. */
beforeAll(async () => {
  test = await testContext({ now })
  ctx = { ...test.ctx, config: { ...test.ctx.config, network: 'testnet' } }
  const { chainId = 0, genesisHash } = trx.networks.testnet
  local = await openLocalTron({ chainId, genesisHash, payer: new Uint8Array(20).fill(5), now })
  await seedBlockchains(ctx)
  await sql`UPDATE blockchains SET status = 'active', inactive_cause = NULL WHERE id = ${CHAIN}`.execute(ctx.db)
  await addNode()
  reader = await testReader(ctx, 'TRX')
  await reader.catchUp()
}, 60_000)
afterAll(async () => {
  for (const stop of stops) await stop()
  await test.stop()
})

/** Serves the chain once more, from another address. */
async function addNode(): Promise<() => Promise<void>> {
  const { url, stop } = await serveLocalTron(local)
  await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority, is_preferred)
    VALUES (${CHAIN}, ${url}, ${stops.length}, ${stops.length === 0})`.execute(ctx.db)
  stops.push(stop)
  return stop
}

/** An approval that an address signed and nodes got, and that no block ever took. */
async function broadcastApproval(validUntil: Date): Promise<void> {
  const [key, path] = [Buffer.alloc(20, 9), 'm/0/0']
  const permission = JSON.stringify({ kind: 'approve_tx', from: addressText(key) })
  await sql`
    WITH wallet AS (
      INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type)
      VALUES ('Deposits', 'deposit_wallet', 'eoa', 'xpub') RETURNING id
    ), address AS (
      INSERT INTO addresses (wallet_id, family_id, key, address, derivation_index, path)
      SELECT id, ${findFamily(trx.family)?.id}, ${key}, ${addressText(key)}, 0, ${path} FROM wallet RETURNING id
    )
    INSERT INTO sweep_permissions (address_id, blockchain_id, asset_id, kind, state, vault, collector, permission, signature,
      digest, tx_id, raw, body, max_fee, planned_height, valid_until, created_at)
    SELECT id, ${CHAIN}, ${USDT}, 'approve_tx', 'broadcast', 'vault', 'collector', ${permission}::jsonb, '{}',
      '\\x01', ${TX}, '\\x00', '{}', 1, 0, ${validUntil}, ${now()} FROM address`.execute(ctx.db)
}

/** Time passes, and blocks are mined and read. */
async function pass(minutes: number): Promise<void> {
  clock += minutes * MINUTE
  await local.mine(60)
  await reader.catchUp()
}

async function unproven() {
  await warnOfUnproven(ctx)
  return (await openAlarms(ctx)).filter(({ kind }) => kind === 'permission_unproven')
}

const follow = () => followPermissions(ctx, { broadcastAt: new Map(), followedTo: new Map() })
const stateOf = async () => {
  const { rows } = await sql<{ state: string }>`SELECT state FROM sweep_permissions WHERE tx_id = ${TX}`.execute(ctx.db)
  return rows[0]?.state
}

describe('sweep-permissions.unproven', () => {
  it('asks for a node of a second operator when nothing else can prove that an approval expired (D-4)', async () => {
    await broadcastApproval(new Date(now().getTime() + 10 * MINUTE))
    await pass(20)
    expect(await unproven()).toEqual([])
    await pass(6)
    await follow()
    expect(await stateOf()).toBe('broadcast')
    const [alarm, ...others] = await unproven()
    expect(others).toEqual([])
    expect(alarm).toMatchObject({ subject: 'TRX permissions', params: { case: 'one_operator', count: 1 } })
    expect(alarm?.text).toContain('Add the node of another operator')

    const stop = await addNode()
    await stop()
    expect(await unproven()).toMatchObject([{ subject: 'TRX permissions', params: { case: 'disagreement' } }])

    await addNode()
    await pass(1)
    await follow()
    expect(await stateOf()).toBe('stale')
    expect(await unproven()).toEqual([])
  })
})
