import type { ChainAdapter, ChainReader, Heads } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { connect, jsonCall } from '@kassa/chains/node/client.ts'
import { type Anvil, startAnvil } from '@kassa/chains/testing/anvil.ts'
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../../testing/customer-address.ts'
import { openAlarms } from '../../alarms/service.ts'
import { adapterOf, findBlockchain, seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { NodeForked } from '../blocks/finality.ts'
import { resumeByOperator, halt, requestResume } from './halt-chain.ts'
import { noticeFor } from './chain-notice.ts'
import { startWatching } from './service.ts'
import { findCursor } from '../blocks/cursor-store.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'

const ETH = 1
let test: TestContext
let anvil: AnvilChain
let reader: TestReader
let address: CustomerAddress
/** What the node calls final, besides its own report. */
let finalized: Heads['finalized']

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.url)
}, 60_000)
afterAll(async () => {
  await anvil.stop()
  await test.stop()
})
beforeEach(async () => {
  finalized = undefined
  await setSandboxNode(test.ctx, 'ETH', anvil.url)
  for (const table of ['alarms', 'chain_blocks', 'chain_cursors']) {
    await sql`DELETE FROM ${sql.table(table)}`.execute(test.ctx.db)
  }
  address = await customerAddress(test.ctx)
  reader = await testReader(test.ctx, 'ETH', { adapter: withFinality() })
  await anvil.mine(3)
  await reader.catchUp()
})

/** The real adapter, whose heads name the block that a test calls final. */
function withFinality(): ChainAdapter {
  const adapter = adapterOf('ETH_Family')
  if (!adapter) throw new Error('There is no adapter')
  const { reader: real } = adapter
  const heads: ChainReader['heads'] = async (session) => ({
    ...(await real.heads(session)),
    ...(finalized && { finalized }),
  })
  return { ...adapter, reader: { ...real, heads } }
}
async function blockAt(height: number): Promise<NonNullable<Heads['finalized']>> {
  const [facts] = await reader.follower.adapter.reader.blocks(reader.session, { from: height, to: height }, NOTHING)
  if (!facts) throw new Error(`There is no block ${height}`)
  return facts.block
}
const NOTHING = { assets: new Set<number>(), matches: () => false }
const cursor = () => findCursor(test.ctx, ETH)
const alarms = async () => (await openAlarms(test.ctx)).map(({ kind }) => kind)
const statuses = async () =>
  (
    await sql<{ status: string }>`SELECT status FROM deposits WHERE address_id = ${address.id}`.execute(test.ctx.db)
  ).rows.map(({ status }) => status)

describe('watch and what a node calls final (2.8)', () => {
  it('stores the height and hash of the block that is final', async () => {
    finalized = await blockAt((await anvil.height()) - 2)
    await reader.catchUp()
    expect(await cursor()).toMatchObject({ finalizedHeight: finalized.height, finalizedHash: finalized.hash })
  })

  it('excludes a node that has another block where ours is final', async () => {
    const final = await blockAt((await anvil.height()) - 2)
    finalized = final
    await reader.catchUp()
    finalized = { ...final, hash: `0x${'cd'.repeat(32)}` }
    await expect(reader.catchUp()).rejects.toThrow(NodeForked)
    await anvil.mine()
    await expect(reader.catchUp()).rejects.toThrow(NodeForked)
  })

  it('ignores the finality of a block that is not on the branch the node serves', async () => {
    finalized = { ...(await blockAt(await anvil.height())), hash: `0x${'cd'.repeat(32)}` }
    await expect(reader.catchUp()).rejects.toThrow('not on the branch it serves')
    expect(await cursor()).toMatchObject({ finalizedHeight: -1 })
  })

  it('sets a notice when finality does not grow (C-3)', async () => {
    finalized = await blockAt((await anvil.height()) - 2)
    await reader.catchUp()
    const place = await cursor()
    if (!place) throw new Error('There is no cursor')
    const mainnet = { ...reader.session.chain, mode: 'mainnet' as const }
    expect(await noticeFor(test.ctx, mainnet, place)).toBeNull()
    const hourLater = { ...test.ctx, now: () => new Date(Date.now() + 3_600_000) }
    const params = { height: finalized.height, minutes: 60, fromUSD: '10000.00' }
    expect(await noticeFor(hourLater, mainnet, place)).toEqual({ code: 'finality_stalled', params })
    expect(await noticeFor(hourLater, reader.session.chain, place)).toBeNull()
  })

  it('sets a notice while a node of TRON hides what contracts pass on', async () => {
    const place = await cursor()
    if (!place) throw new Error('There is no cursor')
    const at = (untracedTo: number) =>
      noticeFor(test.ctx, chainIn('mainnet', trx), { ...place, height: 1_000, untracedTo })
    const params = { network: trx.name, height: 990 }
    expect(await at(990)).toEqual({ code: 'internal_transfers_hidden', params })
    expect(await at(700)).toBeNull()
    expect(await at(-1)).toBeNull()
  })
})

describe('watch before it halts', () => {
  /** A preferred node that left our chain below what is final, and a correct one behind it. */
  async function twoBranches(): Promise<Anvil> {
    const fork = await startAnvil({ chainId: 31_337, args: ['--fork-url', anvil.url] })
    await anvil.mine(4)
    finalized = await blockAt(await anvil.height())
    await reader.catchUp()
    finalized = undefined
    const away = connect({ id: 0, url: fork.url })
    await away.call(jsonCall('anvil_mine', '0x6'))
    await setSandboxNode(test.ctx, 'ETH', fork.url)
    await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority) VALUES (${ETH}, ${anvil.url}, 9)`.execute(
      test.ctx.db,
    )
    return fork
  }

  it('reads a second node, and excludes the first when the second one still has our final block', async () => {
    const fork = await twoBranches()
    try {
      const other = await testReader(test.ctx, 'ETH')
      await expect(other.catchUp()).rejects.toThrow(NodeForked)
      expect(await cursor()).toMatchObject({ state: 'running' })
    } finally {
      await fork.stop()
    }
  })

  it('continues with the second node, and raises an alarm about the first', async () => {
    const fork = await twoBranches()
    await sql`UPDATE blockchains SET status = 'inactive' WHERE code <> 'ETH'`.execute(test.ctx.db)
    const watching = startWatching(test.ctx)
    try {
      await anvil.mine(1)
      await expect.poll(async () => (await cursor())?.height, { timeout: 15_000 }).toBe(await anvil.height())
      expect(await cursor()).toMatchObject({ hash: (await blockAt(await anvil.height())).hash })
      expect(await alarms()).toContain('node_forked')
    } finally {
      await watching.stop()
      await fork.stop()
    }
  })
})

describe('watch.resume', () => {
  /** A deposit that was final, in a block the chain replaced. */
  async function haltBelowFinality(): Promise<number> {
    const shared = await anvil.height()
    await anvil.transfer(SANDBOX_TOKENS.usdc, address.address as Hex, 5_000_000n)
    await anvil.mine(3)
    finalized = await blockAt(await anvil.height())
    await reader.catchUp()
    await anvil.call('anvil_reorg', (await anvil.height()) - shared, [])
    await anvil.mine(1)
    finalized = undefined
    const result = await reader.catchUp()
    if (result.kind !== 'halted') throw new Error('It did not halt')
    await halt(reader.follower, reader.progress, result.why)
    return shared
  }
  const lead = async () => {
    reader = await testReader(test.ctx, 'ETH')
    return resumeByOperator(reader.follower, reader.progress)
  }

  it('waits for an operator, with an alarm that explains what to do', async () => {
    await haltBelowFinality()
    expect(await cursor()).toMatchObject({ state: 'halted' })
    const { stopped } = (await findBlockchain(test.ctx, ETH)) ?? expect.unreachable()
    const halted = { case: 'below_final', height: expect.any(Number) }
    expect(stopped).toEqual({ code: 'halted', params: { halt: halted } })
    expect(await lead()).toBe(false)
    expect((await openAlarms(test.ctx))[0]).toMatchObject({
      kind: 'chain_halted',
      text: expect.stringContaining('npm run resume-chain -- --chain ETH'),
    })
    expect(await statuses()).toEqual(['unapplied'])
  })

  it('goes back to the block an operator names, reverts what came after, and continues', async () => {
    const shared = await haltBelowFinality()
    await requestResume(test.ctx, { code: 'ETH', to: shared })
    expect(await alarms()).toEqual([])
    expect(await lead()).toBe(true)
    expect(await cursor()).toMatchObject({ height: shared, finalizedHeight: shared, resumeTo: null })
    expect(await statuses()).toEqual(['reverted'])
    await reader.catchUp()
    expect(await cursor()).toMatchObject({ height: await anvil.height(), state: 'running' })
  })

  it('continues where it stopped when our branch was right', async () => {
    await haltBelowFinality()
    const before = await cursor()
    await requestResume(test.ctx, { code: 'ETH', to: null })
    expect(await lead()).toBe(true)
    expect(await cursor()).toMatchObject({ height: before?.height, state: 'running' })
  })

  it('refuses a block that is not stored, and a chain that is not halted', async () => {
    await expect(requestResume(test.ctx, { code: 'ETH', to: null })).rejects.toThrow('ETH is not halted')
    await haltBelowFinality()
    const height = (await cursor())?.height ?? 0
    await expect(requestResume(test.ctx, { code: 'ETH', to: height + 1 })).rejects.toThrow('not among the stored')
    await expect(requestResume(test.ctx, { code: 'NOPE', to: null })).rejects.toThrow('no blockchain NOPE')
  })
})
