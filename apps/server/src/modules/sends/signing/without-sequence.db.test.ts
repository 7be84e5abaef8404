import { accountOfPrivateKey } from '@kassa/chains/private-keys.ts'
import { openLocalTron, type LocalTron } from '@kassa/chains/testing/tron-node/chain.ts'
import { serveLocalTron } from '@kassa/chains/testing/tron-node/http-node.ts'
import { addressText } from '@kassa/chains/tron/addresses/addresses.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Context } from '../../../context.ts'
import { testContext } from '../../../testing/context.ts'
import { bookFloat } from '../../../testing/money-out/hot-wallet.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { seal } from '../../vaults/service.ts'
import { followSends } from '../following/follow-sends.ts'
import { newMemory } from '../following/following.ts'
import { startSend, type StartResult } from '../service.ts'

const [CHAIN, TRX] = [3, 3]
const KEY = Buffer.alloc(32, 6)
const PAYER = accountOfPrivateKey(KEY)
const RECEIVER = addressText(Buffer.alloc(20, 9))

/** An install that holds the key: each has a database of its own. */
type Install = { readonly ctx: Context; readonly reader: TestReader; readonly pay: () => Promise<StartResult> }

let local: LocalTron
let paid: Install
let restored: Install
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  const { chainId = 0, genesisHash } = trx.networks.testnet
  local = await openLocalTron({ chainId, genesisHash, payer: PAYER, now: () => new Date() })
  const { url, stop } = await serveLocalTron(local)
  stops.push(stop)
  paid = await install(url)
  restored = await install(url)
}, 60_000)
afterAll(async () => {
  for (const stop of stops) await stop()
})

async function install(url: string): Promise<Install> {
  const test = await testContext()
  stops.unshift(test.stop)
  const ctx = { ...test.ctx, config: { ...test.ctx.config, network: 'testnet' as const } }
  await seedBlockchains(ctx)
  await sql`UPDATE blockchains SET status = 'active', inactive_cause = NULL WHERE id = ${CHAIN}`.execute(ctx.db)
  await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority, is_preferred)
    VALUES (${CHAIN}, ${url}, 0, true)`.execute(ctx.db)
  const walletId = await hotWallet(ctx)
  const reader = await testReader(ctx, 'TRX')
  await reader.catchUp()
  const pay = () =>
    startSend(ctx, {
      ...{ walletId, blockchainId: CHAIN, purpose: 'payout', projectId: null, maxFee: 10_000_000n },
      intent: { kind: 'transfer', assetId: TRX, to: RECEIVER, units: 5_000_000n },
      item: { withdrawalId: 1n },
      within: async () => true,
    })
  return { ctx, reader, pay }
}

/** The hot wallet that the chain's first coins belong to. */
async function hotWallet(ctx: Context): Promise<number> {
  const secretId = await seal(ctx, { kind: 'hot_key', label: 'Hot wallet', value: Buffer.from(KEY) })
  const { rows } = await sql<{ id: number }>`
    INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type)
    VALUES ('Hot', 'hot_wallet', 'eoa', 'private_key') RETURNING id`.execute(ctx.db)
  const id = rows[0]?.id ?? 0
  const [familyId, address] = [findFamily(trx.family)?.id, addressText(PAYER)]
  await sql`INSERT INTO hot_keys (wallet_id, family_id, key, address, secret_id, float_limit_usd)
    VALUES (${id}, ${familyId}, ${Buffer.from(PAYER)}, ${address}, ${secretId}, 500)`.execute(ctx.db)
  await sql`INSERT INTO own_addresses (blockchain_id, family_id, address, key, role, wallet_id, created_at)
    VALUES (${CHAIN}, ${familyId}, ${address}, ${Buffer.from(PAYER)}, 'hot', ${id}, now())`.execute(ctx.db)
  await bookFloat(ctx, id, { [TRX]: 1_000_000_000n })
  return id
}

describe('sends.start without a sequence', () => {
  it('D-9 does not pay once more from a database that is older than the chain', async () => {
    expect((await paid.pay()).kind).toBe('started')
    await followSends(paid.ctx, CHAIN, newMemory())
    await local.mine(10)

    const wait = { kind: 'waits', why: { code: 'chain_down', reason: 'Its newest blocks are not read yet.' } }
    expect(await restored.pay()).toEqual(wait)
    await restored.reader.catchUp()
    expect(await restored.pay()).toEqual({ kind: 'waits', why: { code: 'wallet_locked' } })
  })
})
