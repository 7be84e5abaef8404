import type { ChainReader, ChainSession, MempoolReader, Transfer, WaitingTransaction } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { eth } from '@kassa/primitives/chains/definitions/eth.ts'
import { sql } from 'kysely'
import { getAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { type TestContext, testContext } from '../../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../../testing/customer-address.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { recordTransfers, revertAbove } from '../../deposits/service.ts'
import { knownAddresses } from './known-addresses.ts'
import { emptyMemory, readMempool } from './read-mempool.ts'

const [ETH, MINUTE] = [1, 60_000]
let test: TestContext
let address: CustomerAddress
let clock = 0
let listed: string[] = []
/** Transactions that a node answers with nonsense, whatever stands beside them. */
const poison = new Set<string>()

beforeAll(async () => {
  test = await testContext({ now: () => new Date(Date.now() + clock) })
  await seedBlockchains(test.ctx)
  await sql`INSERT INTO chain_cursors (blockchain_id, height, hash, parent_hash, block_time, head_height, finalized_height)
    VALUES (${ETH}, 10, '0x1', '0x0', now(), 10, 5)`.execute(test.ctx.db)
}, 60_000)
afterAll(() => test.stop())
beforeEach(async () => {
  address = await customerAddress(test.ctx)
  poison.clear()
  await sql`DELETE FROM mempool_sightings`.execute(test.ctx.db)
})

const refuse = (txId: string): void => {
  if (poison.has(txId)) throw new TypeError(`${txId} cannot be read`)
}

/** A transfer of one ETH to the customer. */
function waiting(txId: string): WaitingTransaction {
  const transfer = { txId, leg: 'tx', assetId: ETH, to: getAddress(address.address), units: 10n ** 18n, senders: [] }
  return { txId, spends: [txId], transfers: [transfer as never] }
}

const mempool: MempoolReader = {
  list: async () => listed,
  read: async (_, txIds) => {
    txIds.forEach(refuse)
    return txIds.map(waiting)
  },
}
const reader = {
  heads: async () => ({ latest: { height: 10 } }),
  transaction: async (_: ChainSession, txId: string) => {
    refuse(txId)
    return { state: 'unknown' }
  },
} as unknown as ChainReader

const memory = () => emptyMemory()
async function pass(over = memory()): Promise<unknown> {
  const session = { chain: chainIn('sandbox', eth), node: { label: 'node' } } as unknown as ChainSession
  const looking = { adapter: { reader, mempool }, known: knownAddresses('ETH_Family'), assets: new Set([ETH]) }
  return readMempool(test.ctx, session, { ...looking, memory: over }).catch((error: unknown) => error)
}
const sightings = async () => {
  const { rows } = await sql<{ id: string; state: string }>`
    SELECT tx_id AS id, CASE WHEN gone_at IS NOT NULL THEN ' is gone' WHEN mined_at IS NOT NULL THEN ' is mined' ELSE '' END AS state
    FROM mempool_sightings ORDER BY 1`.execute(test.ctx.db)
  return rows.map(({ id, state }) => `${id}${state}`)
}

/** A block holds the transaction, by what we read. */
async function credit(txId: string): Promise<void> {
  const block = { height: 10, hash: '0x10', parentHash: '0x9', minedAt: new Date() }
  const transfer = {
    ...waiting(txId).transfers[0],
    kind: 'native',
    evidence: 'transaction',
    block,
  } as unknown as Transfer
  const decided = { usdAtSeen: null, paymentId: null, countedUnits: null, countedUsd: null, reason: null, late: false }
  const depth = { confirmationsRequired: 2, rule: 'depth' as const }
  await recordTransfers(test.ctx, [{ blockchainId: ETH, transfer, address, ...depth, ...decided }])
}

describe('watch.readMempool and a transaction that fails', () => {
  it('records the others when one cannot be read, and reads it once', async () => {
    listed = ['0xa', '0xb', '0xc', '0xd', '0xe']
    poison.add('0xb')
    const over = memory()
    expect(await pass(over)).toBeInstanceOf(TypeError)
    expect(await sightings()).toEqual(['0xa', '0xc', '0xd', '0xe'])
    expect(await pass(over)).toBeUndefined()
  })

  it('gets past any number of them', async () => {
    const many = Array.from({ length: 20 }, (_, at) => `0x1${at}`)
    listed = [...many, '0xa']
    for (const txId of many) poison.add(txId)
    const over = memory()
    for (let at = 0; at < 4; at += 1) await pass(over)
    expect(await sightings()).toEqual(['0xa'])
  })

  it('records the others when one cannot be stored', async () => {
    listed = ['0xa', '0xb', '0xc']
    await sql`ALTER TABLE mempool_sightings ADD CONSTRAINT poison CHECK (tx_id <> '0xb')`.execute(test.ctx.db)
    expect(await pass()).toBeInstanceOf(Error)
    expect(await sightings()).toEqual(['0xa', '0xc'])
    await sql`ALTER TABLE mempool_sightings DROP CONSTRAINT poison`.execute(test.ctx.db)
  })

  it('ends the others when a node says nothing sensible about one', async () => {
    listed = ['0xa', '0xb', '0xc']
    const over = memory()
    await pass(over)
    listed = []
    poison.add('0xa')
    await pass(over)
    clock += 11 * MINUTE
    expect(await pass(over)).toBeInstanceOf(TypeError)
    expect(await sightings()).toEqual(['0xa', '0xb is gone', '0xc is gone'])
  })
})

describe('watch.readMempool and a node that left a block before we did', () => {
  it('keeps what was in it on its way, although its deposit is still live', async () => {
    const over = memory()
    listed = ['0xf']
    await pass(over)
    await credit('0xf')
    listed = []
    await pass(over)
    expect(await sightings()).toEqual(['0xf is mined'])
    listed = ['0xf']
    await pass(over)
    await revertAbove(test.ctx, { blockchainId: ETH, toHeight: 9 })
    await pass(over)
    expect(await sightings()).toEqual(['0xf'])
  })
})
