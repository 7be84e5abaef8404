/**
 * A new branch whose blocks the node already calls final, while a second node still has other blocks there (money.md
 * 2.8).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BlockRef, ChainAdapter } from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import { connect } from '@kassa/chains/node/client.ts'
import type { Fetch } from '@kassa/chains/node/transport.ts'
import { answer, NodeRefusal } from '@kassa/chains/testing/fake-chain/answers.ts'
import { type ChainView, createFakeChain, type FakeChain } from '@kassa/chains/testing/fake-chain/block-tree.ts'
import { type FakeTransaction, sendToken } from '@kassa/chains/testing/fake-chain/transactions.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../../context.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../../testing/customer-address.ts'
import { openAlarms } from '../../alarms/service.ts'
import { adapterOf, seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { NodeForked } from './finality.ts'
import { followChain } from '../follow/follow-chain.ts'
import { findCursor } from './cursor-store.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'

const ETH = 1
const [FIRST, SECOND] = ['http://127.0.0.1:7001', 'http://127.0.0.1:7002'] as const
/** A node: the branch it serves, null while it is unreachable, and up to which height it calls that final. */
type Node = { view: ChainView | null; final: number | null }
/** The height up to which the branches are the same. */
const SHARED = 6

let test: TestContext
let ctx: Context
let chain: FakeChain
let nodes: Record<string, Node>
let reader: TestReader
let address: CustomerAddress
let time: number

beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', FIRST)
  await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority) VALUES (${ETH}, ${SECOND}, 9)`.execute(test.ctx.db)
})
afterAll(() => test.stop())

/**
 * Both nodes serve one branch with a payment in it; then the network leaves that branch, and the first node follows.
 */
beforeEach(async () => {
  for (const table of ['alarms', 'chain_blocks', 'chain_cursors']) {
    await sql`DELETE FROM ${sql.table(table)}`.execute(test.ctx.db)
  }
  address = await customerAddress(test.ctx)
  time = Math.floor(Date.now() / 1000) - 1_000
  chain = createFakeChain({ chainId: 31_337, startTime: time, hasFinality: false })
  nodes = { [FIRST]: { view: null, final: null }, [SECOND]: { view: null, final: null } }
  ctx = { ...test.ctx, memory: new Map(), connect: (node) => connect({ ...node, fetch: fetchFrom(node.url) }) }
  mine(SHARED)
  mine(1, [payment()])
  mine(2)
  show(FIRST)
  show(SECOND)
  reader = await testReader(ctx, 'ETH', { adapter: adapter() })
  await reader.catchUp()
  chain.leave(chain.head().height - SHARED)
  mine(2)
  mine(1, [payment()])
  mine(2)
  show(FIRST, SHARED + 2)
})

function mine(blocks: number, transactions: readonly FakeTransaction[] = []): void {
  for (let at = 0; at < blocks; at += 1) chain.mine((time += 1), at === 0 ? transactions : [])
}

const payment = () =>
  sendToken({
    name: `to ${address.address}`,
    from: '0x00000000000000000000000000000000000beef1',
    to: address.address,
    units: 5_000_000n,
    token: SANDBOX_TOKENS.usdc.toLowerCase(),
  })

/** The node serves the canonical branch. */
const show = (url: string, final: number | null = null) => void (nodes[url] = { view: chain.view(), final })

/** The node calls its branch final up to a height. */
const callFinal = (url: string, final: number) => void (nodes[url] = { view: nodes[url]?.view ?? null, final })

function fetchFrom(url: string): Fetch {
  return async (_url, init) => {
    const view = nodes[new URL(url).origin]?.view
    if (!view) return new Response('', { status: 503 })
    const asked = JSON.parse(String(init.body)) as Asked | Asked[]
    return Response.json(Array.isArray(asked) ? asked.map((one) => reply(view, one)) : reply(view, asked))
  }
}

type Asked = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

function reply(view: ChainView, { id, method, params }: Asked): unknown {
  try {
    return { jsonrpc: '2.0', id, result: answer(view, { method, params }) }
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
  }
}

/** The real adapter, whose heads name what each node calls final: the sandbox reads neither. */
function adapter(): ChainAdapter {
  const real = adapterOf('ETH_Family')
  if (!real) throw new Error('There is no adapter')
  const heads: ChainAdapter['reader']['heads'] = async (from) => {
    const heads = await real.reader.heads(from)
    const node = nodes[new URL(from.node.label).origin]
    const final = node?.view?.blocks[node.final ?? -1]
    return { ...heads, ...(final && { finalized: refOf(final) }) }
  }
  return { ...real, reader: { ...real.reader, heads } }
}

function refOf({ height, hash, header }: ChainView['blocks'][number]): BlockRef {
  return { height, hash, parentHash: String(header['parentHash']), minedAt: new Date() }
}

const cursor = () => findCursor(test.ctx, ETH)
const forkAlarms = async () => (await openAlarms(test.ctx)).filter(({ kind }) => kind === 'node_forked')
const statuses = async () =>
  (
    await sql<{ status: string }>`
      SELECT status FROM deposits WHERE address_id = ${address.id} ORDER BY id`.execute(test.ctx.db)
  ).rows.map(({ status }) => status)

describe('watch and a new branch that its node calls final', () => {
  it('waits while a second node is still on the old one, and continues once it has followed', async () => {
    const before = await cursor()
    const poll = reader.catchUp().catch((error: unknown) => error)
    expect(await poll).toBeInstanceOf(RetryableRpcError)
    expect(await poll).toMatchObject({ kind: 'inconsistent', message: expect.stringContaining('not final yet') })
    expect(await cursor()).toMatchObject({ height: before?.height, hash: before?.hash })
    expect(await statuses()).toEqual(['unapplied'])
    show(SECOND)
    expect(await reader.catchUp()).toMatchObject({ kind: 'idle' })
    expect(await cursor()).toMatchObject({ hash: chain.head().hash, finalizedHeight: SHARED + 2 })
    expect(await statuses()).toEqual(['reverted', 'unapplied'])
  })

  it('waits for a second node that calls only older blocks final, as well', async () => {
    callFinal(SECOND, SHARED + 1)
    await expect(reader.catchUp()).rejects.toThrow('not final yet')
  })

  it('excludes its node when the second one calls another block final there', async () => {
    const before = await cursor()
    callFinal(SECOND, SHARED + 2)
    await expect(reader.catchUp()).rejects.toThrow(NodeForked)
    expect(await cursor()).toMatchObject({ height: before?.height, hash: before?.hash })
    expect(await statuses()).toEqual(['unapplied'])
  })

  it('continues at once when the second node is unreachable', async () => {
    nodes[SECOND] = { view: null, final: null }
    await reader.catchUp()
    expect(await cursor()).toMatchObject({ hash: chain.head().hash })
    expect(await statuses()).toEqual(['reverted', 'unapplied'])
  })
})

describe('watch.connection on a branch that one node calls final', () => {
  const follow = async (meanwhile: () => Promise<void>) => {
    const end = new AbortController()
    const { row, known } = reader.follower
    const following = followChain(ctx, { row, adapter: adapter(), known }, end.signal)
    try {
      await meanwhile()
    } finally {
      end.abort()
      await following
    }
  }

  it('excludes no node while the second one is behind: both are used afterwards', async () => {
    await follow(async () => {
      await sleep(1_500)
      expect(await forkAlarms()).toEqual([])
      show(SECOND)
      await expect.poll(async () => (await cursor())?.hash, { timeout: 15_000 }).toBe(chain.head().hash)
      for (const [silent, other] of [
        [FIRST, SECOND],
        [SECOND, FIRST],
      ] as const) {
        nodes[silent] = { view: null, final: null }
        mine(1)
        show(other)
        await expect.poll(async () => (await cursor())?.hash, { timeout: 15_000 }).toBe(chain.head().hash)
      }
    })
    expect(await forkAlarms()).toEqual([])
  })

  it('excludes the first node, with an alarm, when the second one calls its own branch final', async () => {
    const before = await cursor()
    callFinal(SECOND, SHARED + 2)
    await follow(async () => {
      await expect.poll(forkAlarms, { timeout: 15_000 }).toMatchObject([{ text: expect.stringContaining(FIRST) }])
    })
    expect(await cursor()).toMatchObject({ hash: before?.hash })
  })
})
