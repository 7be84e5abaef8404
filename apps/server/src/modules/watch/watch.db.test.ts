import type { ChainSession } from '@kassa/chains/adapter.ts'
import { connect, jsonCall } from '@kassa/chains/node/client.ts'
import { startAnvil } from '@kassa/chains/testing/anvil.ts'
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../testing/customer-address.ts'
import { adapterOf, findBlockchain, seedBlockchains } from '../blockchains/chains/service.ts'
import { openSession, setSandboxNode } from '../blockchains/nodes/service.ts'
import { knownAddresses } from './matching/known-addresses.ts'
import { startWatching } from './follow/service.ts'
import { listBlocks } from './blocks/block-store.ts'
import { findCursor, LostLeadership, raiseEpoch } from './blocks/cursor-store.ts'
import type { FollowerState, Follower } from './follow/follower.ts'
import { pollChain, type PollResult } from './follow/poll-chain.ts'

const ETH = 1
const USDC = 7
let test: TestContext
let anvil: AnvilChain
let chain: ChainSession
let follower: Follower
let progress: FollowerState
let address: CustomerAddress

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.node.label)
}, 60_000)
afterAll(async () => {
  await anvil.stop()
  await test.stop()
})

/** A watcher of its own on a database that has read up to the chain's newest block. */
beforeEach(async () => {
  address = await customerAddress(test.ctx)
  follower = await newFollower()
  progress = { cursor: await raiseEpoch(test.ctx, ETH, 'test'), span: 25, failedReads: 0 }
  await catchUp()
})

async function newFollower(): Promise<Follower> {
  const row = await findBlockchain(test.ctx, 'ETH')
  const opened = await openSession(test.ctx, ETH)
  const adapter = adapterOf('ETH_Family')
  if (!row || !opened || !adapter) throw new Error('The chain cannot be opened')
  chain = opened
  const known = knownAddresses('ETH_Family')
  return { ctx: test.ctx, row, adapter, known, assets: new Set([1, USDC, 11]), holder: 'test' }
}

const poll = (): Promise<PollResult> => pollChain(follower, chain, progress)
async function catchUp(from = chain): Promise<PollResult> {
  for (;;) {
    const result = await pollChain(follower, from, progress)
    if (result.kind !== 'busy') return result
  }
}
const pay = (units: bigint, to = address.address) => anvil.transfer(SANDBOX_TOKENS.usdc, to as Hex, units)

type Row = { status: string; units: string; revision: number; height: bigint; tx_id: string }
async function deposits(of: CustomerAddress = address): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT status, units, revision, height, tx_id FROM deposits WHERE address_id = ${of.id} ORDER BY id`.execute(
    test.ctx.db,
  )
  return rows
}
const statuses = async () => (await deposits()).map(({ status, units }) => [status, units])
const cursorHeight = async () => (await findCursor(test.ctx, ETH))?.height

describe('watch.pollChain', () => {
  it('records a transfer in the block it is mined in, and confirms it two blocks deep', async () => {
    await pay(5_000_000n)
    await catchUp()
    expect(await statuses()).toEqual([['seen', '5000000']])
    expect(await cursorHeight()).toBe(await anvil.height())
    await anvil.mine()
    await catchUp()
    expect(await statuses()).toEqual([['unapplied', '5000000']])
  })

  it('records native money as well as tokens', async () => {
    await anvil.send({ to: address.address as Hex, value: 10n ** 16n })
    await catchUp()
    expect(await statuses()).toEqual([['seen', String(10n ** 16n)]])
  })

  it('never credits a look-alike token', async () => {
    await anvil.transfer(SANDBOX_TOKENS.lookAlikeUsdc, address.address as Hex, 5_000_000n)
    await catchUp()
    expect(await deposits()).toEqual([])
  })

  it('knows an address that was assigned a moment ago (W-10)', async () => {
    const later = await customerAddress(test.ctx)
    await pay(2_000_000n, later.address)
    await catchUp()
    expect(await deposits(later)).toMatchObject([{ status: 'seen', units: '2000000' }])
  })

  it('does nothing on a chain without new blocks', async () => {
    const before = await findCursor(test.ctx, ETH)
    expect(await poll()).toEqual({ kind: 'idle' })
    expect(await findCursor(test.ctx, ETH)).toEqual(before)
  })

  it('catches up over many blocks, each stored in the window', async () => {
    const from = await anvil.height()
    for (const units of [1n, 2n, 3n]) {
      await pay(units * 1_000_000n)
      await anvil.mine(20)
    }
    await catchUp()
    expect((await statuses()).map(([, units]) => units)).toEqual(['1000000', '2000000', '3000000'])
    const blocks = await listBlocks(test.ctx, ETH, from)
    expect(blocks.map(({ height }) => height)).toEqual(
      Array.from({ length: (await anvil.height()) - from + 1 }, (_, at) => from + at),
    )
  })
})

describe('watch after a reorganisation', () => {
  it('reverts a deposit and records it again where it is mined next', async () => {
    const txId = await pay(5_000_000n)
    await anvil.mine()
    await catchUp()
    expect(await statuses()).toEqual([['unapplied', '5000000']])
    await anvil.call('anvil_reorg', 2, [])
    await catchUp()
    expect(await statuses()).toEqual([['reverted', '5000000']])
    await pay(6_000_000n)
    await catchUp()
    expect(await statuses()).toEqual([
      ['reverted', '5000000'],
      ['seen', '6000000'],
    ])
    expect((await deposits())[0]?.tx_id).toBe(txId)
  })

  it('detects one of equal length on an idle chain', async () => {
    await pay(5_000_000n)
    await catchUp()
    const before = await findCursor(test.ctx, ETH)
    await anvil.call('anvil_reorg', 1, [])
    await catchUp()
    const after = await findCursor(test.ctx, ETH)
    expect(after?.height).toBe(before?.height)
    expect(after?.hash).not.toBe(before?.hash)
    expect(await statuses()).toEqual([['reverted', '5000000']])
  })

  it('restores the same deposit when the chain returns to its block', async () => {
    const fork = await startAnvil({ chainId: 31_337, args: ['--fork-url', anvil.node.label] })
    const elsewhere = { ...chain, node: connect({ id: 2, url: fork.url }) }
    const mineElsewhere = () => elsewhere.node.call(jsonCall('anvil_mine', '0x1'))
    try {
      await pay(5_000_000n)
      await catchUp()
      await mineElsewhere()
      await catchUp(elsewhere)
      expect(await deposits()).toMatchObject([{ status: 'reverted', revision: 1 }])
      await catchUp()
      expect(await deposits()).toMatchObject([{ status: 'seen', revision: 2 }])
    } finally {
      await fork.stop()
    }
  })

  it('halts when it reaches below what was final, and touches nothing', async () => {
    await pay(5_000_000n)
    await anvil.mine(3)
    await catchUp()
    await sql`UPDATE chain_cursors SET finalized_height = height - 1 WHERE blockchain_id = ${ETH}`.execute(test.ctx.db)
    progress.cursor = await raiseEpoch(test.ctx, ETH, 'test')
    const before = await deposits()
    await anvil.call('anvil_reorg', 4, [])
    const result = await catchUp()
    expect(result).toMatchObject({ kind: 'halted', why: { case: 'below_final' } })
    expect(await deposits()).toEqual(before)
    await sql`DELETE FROM chain_blocks`.execute(test.ctx.db)
    await sql`DELETE FROM chain_cursors`.execute(test.ctx.db)
  })
})

describe('watch commits effects and cursor together', () => {
  it('commits neither when the transaction fails after the deposit was written (X3)', async () => {
    await sql`
      CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'power cut'; END $$;
      CREATE TRIGGER power_cut BEFORE INSERT ON chain_blocks EXECUTE FUNCTION fail_once()`.execute(test.ctx.db)
    const before = await findCursor(test.ctx, ETH)
    await pay(5_000_000n)
    await expect(poll()).rejects.toThrow('power cut')
    expect(await deposits()).toEqual([])
    expect(await findCursor(test.ctx, ETH)).toEqual(before)
    await sql`DROP TRIGGER power_cut ON chain_blocks`.execute(test.ctx.db)
    await catchUp()
    expect(await statuses()).toEqual([['seen', '5000000']])
  })

  it('refuses the commit of a leader of an older epoch (X2)', async () => {
    await pay(5_000_000n)
    const newer: FollowerState = { cursor: await raiseEpoch(test.ctx, ETH, 'newer'), span: 25, failedReads: 0 }
    await expect(poll()).rejects.toThrow(LostLeadership)
    expect(await deposits()).toEqual([])
    progress = newer
    await catchUp()
    expect(await statuses()).toEqual([['seen', '5000000']])
  })

  it('commits one of two polls from the same position', async () => {
    await pay(5_000_000n)
    const twin: FollowerState = { ...progress }
    const results = await Promise.allSettled([poll(), pollChain(follower, chain, twin)])
    const lost = results.filter((result) => result.status === 'rejected')
    expect(lost.map(({ reason }): unknown => reason)).toEqual([expect.any(LostLeadership)])
    expect(await statuses()).toEqual([['seen', '5000000']])
  })
})

describe('watch.startWatching', () => {
  const until = async (done: () => Promise<boolean>) => {
    const limit = Date.now() + 15_000
    while (!(await done())) {
      if (Date.now() > limit) throw new Error('It did not happen in time')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  it('shows a payment within seconds, stops cleanly and catches up after a restart', async () => {
    await sql`UPDATE blockchains SET status = 'inactive' WHERE code <> 'ETH'`.execute(test.ctx.db)
    const first = startWatching(test.ctx)
    await pay(5_000_000n)
    await until(async () => (await deposits()).length === 1)
    await first.stop()
    await pay(7_000_000n)
    await anvil.mine(30)
    const second = startWatching(test.ctx)
    await until(async () => (await cursorHeight()) === (await anvil.height()))
    await second.stop()
    expect(await statuses()).toEqual([
      ['unapplied', '5000000'],
      ['unapplied', '7000000'],
    ])
  })

  it('one of two watchers leads, and the other takes over when it stops (2.9)', async () => {
    const first = startWatching(test.ctx)
    const leader = async () => {
      const { rows } = await sql<{ holder: string; epoch: bigint }>`
        SELECT holder, epoch FROM chain_cursors WHERE blockchain_id = ${ETH}`.execute(test.ctx.db)
      return rows[0]
    }
    const before = await leader()
    await until(async () => (await leader())?.epoch !== before?.epoch)
    const leading = await leader()
    const second = startWatching(test.ctx)
    await pay(5_000_000n)
    await until(async () => (await deposits()).length === 1)
    expect(await leader()).toEqual(leading)
    await first.stop()
    await until(async () => (await leader())?.epoch !== leading?.epoch)
    await pay(6_000_000n)
    await until(async () => (await deposits()).length === 2)
    await second.stop()
  })

  it('ends its poll and leads again under a new epoch on restart', async () => {
    const epoch = async () => (await findCursor(test.ctx, ETH))?.epoch ?? 0n
    const before = await epoch()
    const watching = startWatching(test.ctx)
    await until(async () => (await epoch()) > before)
    const leading = await epoch()
    expect(watching.codes()).toContain('ETH')
    await watching.restart('ETH')
    await until(async () => (await epoch()) > leading)
    await pay(8_000_000n)
    await until(async () => (await deposits()).length === 1)
    await watching.stop()
  })

  it('leads again under a new epoch when the connection that holds its lock breaks', async () => {
    const epoch = async () => (await findCursor(test.ctx, ETH))?.epoch ?? 0n
    const before = await epoch()
    const watching = startWatching(test.ctx)
    await until(async () => (await epoch()) === before + 1n)
    await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'kassa-watch' AND datname = current_database()`.execute(test.ctx.db)
    await until(async () => (await epoch()) === before + 2n)
    await pay(5_000_000n)
    await until(async () => (await deposits()).length === 1)
    await watching.stop()
    expect(await epoch()).toBe(before + 2n)
  })

  it('stops following a blockchain that was made inactive', async () => {
    const locks = async () => {
      const { rows } = await sql`
        SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE locktype = 'advisory' AND classid = ${0x4b57} AND datname = current_database()`.execute(test.ctx.db)
      return rows.length
    }
    const watching = startWatching(test.ctx)
    await until(async () => (await locks()) === 1)
    await sql`UPDATE blockchains SET status = 'inactive' WHERE id = ${ETH}`.execute(test.ctx.db)
    await until(async () => (await locks()) === 0)
    await sql`UPDATE blockchains SET status = 'active' WHERE id = ${ETH}`.execute(test.ctx.db)
    await until(async () => (await locks()) === 1)
    await watching.stop()
    expect(await locks()).toBe(0)
  })

  it('stops although its node never answers, and stores why it waits', async () => {
    await setSandboxNode(test.ctx, 'ETH', 'http://127.0.0.1:9')
    const watching = startWatching(test.ctx)
    const state = async () => {
      const { rows } = await sql<{ state: string; cause: unknown }>`
        SELECT state, stop_cause AS cause FROM chain_cursors WHERE blockchain_id = ${ETH}`.execute(test.ctx.db)
      return rows[0]
    }
    await until(async () => (await state())?.state === 'behind')
    const error = expect.stringContaining('http://127.0.0.1:9')
    expect((await state())?.cause).toEqual({ code: 'read_failed', params: { error } })
    await setSandboxNode(test.ctx, 'ETH', anvil.node.label)
    await until(async () => (await state())?.state === 'running')
    expect((await state())?.cause).toBeNull()
    await watching.stop()
  })
})
