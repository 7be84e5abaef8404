import { accountOfPrivateKey } from '@kassa/chains/private-keys.ts'
import { openLocalTron, type LocalTron } from '@kassa/chains/testing/tron-node/chain.ts'
import { serveLocalTron } from '@kassa/chains/testing/tron-node/http-node.ts'
import { addressText } from '@kassa/chains/tron/addresses/addresses.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Context } from '../../../context.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { bookFloat } from '../../../testing/money-out/hot-wallet.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'
import { openAlarms } from '../../alarms/service.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { seal } from '../../vaults/service.ts'
import { startSend } from '../service.ts'
import { followSends } from './follow-sends.ts'
import { newMemory, type PassMemory } from './following.ts'

const [CHAIN, TRX] = [3, 3]
const KEY = Buffer.alloc(32, 5)
const PAYER = accountOfPrivateKey(KEY)
const MINUTE = 60_000

let test: TestContext
let ctx: Context
let local: LocalTron
let reader: TestReader
let memory: PassMemory
let walletId = 0
let payouts = 0n
let clock = 0
const stops: (() => Promise<void>)[] = []
const now = () => new Date(Date.now() + clock)

/** A public network of TRON, served by one operator. */
beforeAll(async () => {
  test = await testContext({ now })
  ctx = { ...test.ctx, config: { ...test.ctx.config, network: 'testnet' } }
  const { chainId = 0, genesisHash } = trx.networks.testnet
  local = await openLocalTron({ chainId, genesisHash, payer: PAYER, now })
  await seedBlockchains(ctx)
  await sql`UPDATE blockchains SET status = 'active', inactive_cause = NULL WHERE id = ${CHAIN}`.execute(ctx.db)
  await addNode()
  reader = await testReader(ctx, 'TRX')
  await reader.catchUp()
  walletId = await tronWallet()
}, 60_000)
afterAll(async () => {
  for (const stop of stops) await stop()
  await test.stop()
})
beforeEach(async () => {
  memory = newMemory()
  await sql`DELETE FROM rpc_nodes WHERE blockchain_id = ${CHAIN} AND NOT is_preferred`.execute(ctx.db)
})

/** Serves the chain once more, from another address. */
async function addNode(): Promise<() => Promise<void>> {
  const { url, stop } = await serveLocalTron(local)
  await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority, is_preferred)
    VALUES (${CHAIN}, ${url}, ${stops.length}, ${stops.length === 0})`.execute(ctx.db)
  stops.push(stop)
  return stop
}

/** The hot wallet that the chain's first coins belong to. */
async function tronWallet(): Promise<number> {
  const secretId = await seal(ctx, { kind: 'hot_key', label: 'Hot wallet', value: Buffer.from(KEY) })
  const { rows } = await sql<{ id: number }>`
    INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type)
    VALUES ('Hot', 'hot_wallet', 'eoa', 'private_key') RETURNING id`.execute(ctx.db)
  const id = rows[0]?.id ?? 0
  await sql`
    INSERT INTO hot_keys (wallet_id, family_id, key, address, secret_id, float_limit_usd)
    VALUES (${id}, ${findFamily(trx.family)?.id}, ${Buffer.from(PAYER)}, ${addressText(PAYER)}, ${secretId}, 500)`.execute(
    ctx.db,
  )
  await bookFloat(ctx, id, { [TRX]: 1_000_000_000n })
  return id
}

/** Signs and stores a payment of TRX. */
async function started(): Promise<bigint> {
  payouts += 1n
  const to = addressText(Buffer.alloc(20, 9))
  const result = await startSend(ctx, {
    ...{ walletId, blockchainId: CHAIN, purpose: 'payout', projectId: null, maxFee: 10_000_000n },
    intent: { kind: 'transfer', assetId: TRX, to, units: 5_000_000n },
    item: { withdrawalId: payouts },
    within: async () => true,
  })
  if (result.kind !== 'started') throw new Error(JSON.stringify(result, (_, one: unknown) => String(one)))
  return result.send.sendId
}

/** Time passes, and blocks are mined and read. */
async function pass(minutes: number): Promise<void> {
  clock += minutes * MINUTE
  await local.mine(60)
  await reader.catchUp()
}

const follow = () => followSends(ctx, CHAIN, memory)
const unproven = async () => (await openAlarms(ctx)).filter(({ kind }) => kind === 'send_unproven')
const stateOf = async (id: bigint) => {
  const { rows } = await sql<{ state: string; code: string | null }>`
    SELECT state, failure_code AS code FROM sends WHERE id = ${id}`.execute(ctx.db)
  return rows[0]
}

describe('sends.unproven', () => {
  it('asks for a node of a second operator when nothing else can prove that a send expired (D-4)', async () => {
    const sendId = await started()
    await pass(11)
    await follow()
    expect(await unproven()).toEqual([])
    await pass(15)
    await follow()
    expect(await stateOf(sendId)).toMatchObject({ code: null })
    const [alarm, ...others] = await unproven()
    expect(others).toEqual([])
    expect(alarm).toMatchObject({ subject: `TRX send ${sendId}`, params: { case: 'one_operator', walletID: walletId } })
    expect(alarm?.text).toContain('Add the node of another operator')

    await addNode()
    await pass(1)
    await follow()
    expect(await stateOf(sendId)).toEqual({ state: 'failed', code: 'expired' })
    expect(await unproven()).toEqual([])
  })

  it('says that two operators disagree while the second one is silent', async () => {
    const sendId = await started()
    const stop = await addNode()
    await stop()
    await pass(26)
    await follow()
    expect(await unproven()).toMatchObject([{ subject: `TRX send ${sendId}`, params: { case: 'disagreement' } }])
    await addNode()
    await pass(1)
    await follow()
    expect(await stateOf(sendId)).toEqual({ state: 'failed', code: 'expired' })
    expect(await unproven()).toEqual([])
  })
})
